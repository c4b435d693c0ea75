package io.cloudkon.hpc.rmi;

import io.cloudkon.hpc.rmi.AnswerGate.NoAnswerException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import io.cloudkon.hpc.rmi.Peer.Remotes;
import java.net.SocketTimeoutException;
import java.rmi.RemoteException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the endpoints of other workers. There is one instance per worker, whose connections serve
 * every job and gang. Each call is made on its own virtual thread, and an interrupt closes that
 * thread's socket: so a call ends at any point when its timeout expires or the calling thread is
 * interrupted, even if the other side was suspended in the middle of the call. Thread safe.
 */
public final class Stubs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stubs.class);

  private final ExecutorService calls =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cloudkon-rmi-", 0).factory());
  private final RmiSettings settings;
  private final Peers peers;

  /** Stubs with {@linkplain RmiSettings#defaults default settings}. */
  public Stubs(Identity identity) {
    this(RmiSettings.defaults(), identity);
  }

  /** Stubs with these settings. */
  public Stubs(RmiSettings settings, Identity identity) {
    this.settings = settings;
    this.peers = new Peers(settings, identity);
  }

  /** The manager at that address. No connection is made until it is called. */
  public ManagerPort manager(Address address, String secret) {
    Check.token("secret", secret);
    return new ManagerStub(this, address, secret);
  }

  /** The sub-worker at that address. No connection is made until it is called. */
  public SubWorkerPort subWorker(Address address, String secret) {
    Check.token("secret", secret);
    return subWorker(address, secret, 1);
  }

  /** Like {@link #subWorker(Address, String)}, with timeouts multiplied by {@code times}. */
  public SubWorkerPort subWorker(Address address, String secret, int times) {
    Check.token("secret", secret);
    Check.that(times > 0, "times: 1 or more");
    return new SubWorkerStub(this, address, secret, times);
  }

  /** The maximum size of a rank's message in bytes; a larger message cannot be delivered. */
  public int messageBytes() {
    return settings.arrayBytes();
  }

  /** A call with a peer's stub. */
  interface Call<T> {
    T on(Remotes remotes) throws RemoteException;
  }

  <T> T call(Address address, String what, long payload, int times, Call<T> call) {
    long millis = times * settings.callMillis(payload);
    AtomicReference<@Nullable Peer> used = new AtomicReference<>();
    Future<T> answer;
    try {
      answer =
          calls.submit(() -> {
            Peer peer = peers.at(address);
            used.set(peer);
            return call.on(peer.remotes());
          });
    } catch (RejectedExecutionException e) {
      throw failure(Kind.UNREACHABLE, address, what, "this worker makes no more calls", e);
    }
    try {
      T given = answer.get(millis, TimeUnit.MILLISECONDS);
      if (given == null) {
        throw failure(Kind.UNREACHABLE, address, what, "its answer is invalid", null);
      }
      return given;
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw failure(Kind.INTERRUPTED, address, what, "interrupted", e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      drop(address, used.get());
      throw failure(Kind.TIMED_OUT, address, what, "no answer within " + millis + " ms", e);
    } catch (ExecutionException e) {
      throw failed(address, what, used.get(), e.getCause());
    }
  }

  private HpcCallException failed(
      Address address, String what, @Nullable Peer peer, @Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof NoAnswerException none) {
        return failure(none.kind(), address, what, String.valueOf(none.getMessage()), cause);
      }
    }
    if (cause instanceof ClassCastException) {
      return failure(Kind.UNREACHABLE, address, what, "its answer belongs to another call", cause);
    }
    if (cause instanceof RuntimeException || cause instanceof Error) {
      return failure(Kind.FAILED, address, what, "the call could not be made: " + cause, cause);
    }
    drop(address, peer);
    return failure(Kind.UNREACHABLE, address, what, reason(cause), cause);
  }

  /** The message of the root cause, which is the shortest. */
  private static String reason(@Nullable Throwable cause) {
    Throwable deepest = cause;
    while (deepest != null && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest instanceof SocketTimeoutException
        ? "no connection in time"
        : String.valueOf(deepest);
  }

  private static HpcCallException failure(
      Kind kind, Address address, String what, String why, @Nullable Throwable cause) {
    return new HpcCallException(kind, "worker at %s: %s: %s".formatted(address, what, why), cause);
  }

  private void drop(Address address, @Nullable Peer peer) {
    if (peer != null) {
      peers.drop(address, peer);
    }
  }

  /** Ends calls in progress and closes every connection. */
  @Override
  public void close() {
    calls.shutdownNow();
    peers.close();
    try {
      if (!calls.awaitTermination(settings.callMillis(0), TimeUnit.MILLISECONDS)) {
        LOG.warn("a call to another worker did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
