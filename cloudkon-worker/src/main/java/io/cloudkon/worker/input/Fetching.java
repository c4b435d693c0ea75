package io.cloudkon.worker.input;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.worker.execute.MemoryProbe;
import io.cloudkon.worker.execute.StartProbe;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of the blob store, in threads of their own, so that a waiting caller can leave. At most
 * {@value #THREADS} run at a time; others wait for their turn. Transient failures are retried with
 * back-off while a caller wants the answer. The threads are platform threads: hashing and unpacking
 * would occupy the carriers of virtual threads. Thread safe.
 */
final class Fetching implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Fetching.class);
  private static final long END_MILLIS = 5_000;
  private static final long IDLE_SECONDS = 10;

  /** A task may have 256 files of its own, and each slot a task. */
  static final int THREADS = 64;

  private static final int SURPRISES = 5;

  /** The number of failures in a row at which a warning is logged. */
  private static final int TOLD_AT = 5;

  private final BackOff backOff;
  private final ThreadPoolExecutor threads;
  private final AtomicBoolean missing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** A fetch from the blob store. */
  interface Fetch<T> {
    T fetch() throws InputException, GivenUpException, InterruptedException;
  }

  Fetching(BackOff backOff) {
    this(backOff, Thread.ofPlatform().daemon().name("cloudkon-fetch-", 0).factory());
  }

  Fetching(BackOff backOff, ThreadFactory factory) {
    this.backOff = backOff;
    this.threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Starts a fetch, or lets it wait for its turn, and returns at once. If no thread can be started,
   * the fetch has failed.
   */
  <T> CompletableFuture<T> start(Fetch<T> fetch) {
    CompletableFuture<T> fetched = new CompletableFuture<>();
    try {
      threads.execute(new Turn<>(fetch, fetched));
    } catch (RejectedExecutionException e) {
      fetched.completeExceptionally(new GivenUpException()); // closed
    } catch (OutOfMemoryError e) {
      fetched.completeExceptionally(outOfMemory("no thread can be started to fetch its input", e));
    }
    return fetched;
  }

  /** A fetch and its result. */
  private record Turn<T>(Fetch<T> fetch, CompletableFuture<T> fetched) implements Runnable {
    @Override
    public void run() {
      Fetching.run(fetch, fetched);
    }

    void giveUp() {
      fetched.completeExceptionally(new GivenUpException());
    }
  }

  private static InputException outOfMemory(String message, OutOfMemoryError e) {
    Sickness memory = new Sickness.Memory(String.valueOf(e.getMessage()));
    return InputException.suspected(
        message, e, new InputException.Suspicion(memory, MemoryProbe::attempt));
  }

  private static <T> void run(Fetch<T> fetch, CompletableFuture<T> fetched) {
    try {
      fetched.complete(fetch.fetch());
    } catch (InterruptedException e) {
      fetched.completeExceptionally(new GivenUpException());
    } catch (OutOfMemoryError e) {
      fetched.completeExceptionally(
          outOfMemory("its input does not fit into its worker's memory", e));
    } catch (Exception | Error e) {
      // Any error must complete the future: otherwise its waiters would wait forever.
      fetched.completeExceptionally(e);
    }
  }

  /**
   * Repeats the call until it is answered.
   *
   * @param what the name of the object in messages
   * @param again repeats the call once as a probe, and leaves nothing behind
   * @param wanted whether a caller still waits
   * @throws InputException if it was refused for good
   */
  <T> T repeat(String what, Supplier<T> call, StartProbe again, BooleanSupplier wanted)
      throws InputException, GivenUpException, InterruptedException {
    int surprises = 0;
    for (int failures = 1; ; failures++) {
      try {
        T answer = call.get();
        missing.set(false);
        return answer;
      } catch (TransientServiceException e) {
        if (failures == TOLD_AT) {
          LOG.warn("could not fetch {}, trying again: {}", what, e.getMessage());
        }
      } catch (CloudKonException e) {
        tellMissing(e);
        throw refused(what, e.getMessage(), e, again);
      } catch (OutOfMemoryError e) {
        // Only this task's fault if there is memory for anything else.
        throw outOfMemory("%s does not fit into its worker's memory".formatted(what), e);
      } catch (RuntimeException | Error e) {
        // A store should not throw this: it may be transient or permanent.
        LOG.warn("could not fetch {}", what, e);
        if (++surprises == SURPRISES) {
          throw refused(what, e.toString(), e, again);
        }
      }
      if (closed.await(backOff.millis(failures), TimeUnit.MILLISECONDS) || !wanted.getAsBoolean()) {
        throw new GivenUpException();
      }
    }
  }

  /** Logs a missing bucket once; what a policy refuses is logged by the port. */
  private void tellMissing(CloudKonException e) {
    if (e instanceof MissingResourceException of && of.isBucket() && !missing.getAndSet(true)) {
      LOG.warn("work that needs the bucket is given back: {}", e.getMessage());
    }
  }

  private static InputException refused(
      String what, @Nullable String why, Throwable e, StartProbe again) {
    return InputException.suspected(
        "%s cannot be read from the blob store: %s".formatted(what, why),
        e,
        new InputException.Suspicion(new Sickness.BlobStore(String.valueOf(why)), again));
  }

  /** Interrupts running fetches and waits for their end, for a limited time; gives up others. */
  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    for (Runnable waiting : threads.shutdownNow()) {
      ((Turn<?>) waiting).giveUp();
    }
    if (!threads.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
      LOG.debug("{} fetches have not ended within {} ms", threads.getActiveCount(), END_MILLIS);
    }
  }
}
