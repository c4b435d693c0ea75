package io.cloudkon.core.refusal;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose ports report the outcome of each call to a {@link RefusalLog} and change nothing
 * else, so that no caller has to do so.
 */
public final class WatchedPorts {
  /** An owner's write of a claim that never exists, so that its condition never holds. */
  public static final ClaimWrite NEVER =
      new ClaimWrite(
          "refused",
          0,
          "nobody",
          1,
          ClaimState.LEASED,
          ClaimState.LEASED,
          0,
          0,
          Positions.none(),
          Positions.none(),
          new TreeMap<>(),
          0);

  private final RefusalLog refusals;
  private final String dead;

  /**
   * The calls of one method of one port; for response queues, those on one queue.
   *
   * @param port the identity of the port
   */
  private record Call(int port, String method, @Nullable Object queue) {}

  private WatchedPorts(RefusalLog refusals, String dead) {
    this.refusals = refusals;
    this.dead = dead;
  }

  /** The same cluster with watched ports. */
  public static Cluster of(Cluster cluster, RefusalLog refusals) {
    WatchedPorts by = new WatchedPorts(refusals, cluster.dead().name());
    return new Cluster(
        cluster.name(),
        by.watch(RequestQueue.class, cluster.requests()),
        by.watch(RequestQueue.class, cluster.dead()),
        by.watch(ResponseQueue.class, cluster.responses()),
        by.watch(ClaimStore.class, cluster.claims()),
        by.watch(WorkerRegistry.class, cluster.workers()),
        by.watch(RunStore.class, cluster.runs()),
        by.watch(DecisionStore.class, cluster.decisions()),
        by.watch(BlobStore.class, cluster.blobs()),
        new Cluster.Hpc(
            by.watch(RequestQueue.class, cluster.hpc().jobs()),
            by.watch(RequestQueue.class, cluster.hpc().ranks()),
            by.watch(CapacityLedger.class, cluster.hpc().ledger())));
  }

  private <T> T watch(Class<T> type, T port) {
    InvocationHandler handler = (_, method, arguments) -> call(port, method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object call(Object port, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      Object answer = method.invoke(port, arguments);
      if (!refusals.isQuiet()) {
        refusals.worked(kind(port, method, arguments));
      }
      return answer;
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case RefusedException refused ->
            refusals.refused(
                refused,
                kind(port, method, arguments),
                () -> again(refused, port, method, arguments));
        case TransientServiceException failed ->
            refusals.failed(failed, kind(port, method, arguments));
        case null, default -> {
          // says nothing about permissions
        }
      }
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /**
   * Repeats a refused call without changing a claim, keeping a message or sending a letter; any
   * other call may be repeated late. The condition of a claim's old write may hold minutes later,
   * and the write would record starts of tasks that its worker has given back since. No harmless
   * call shows that letters may be sent again; only the next letter does.
   */
  private void again(
      RefusedException refused,
      Object port,
      Method method,
      @Nullable Object @Nullable [] arguments) {
    try {
      switch (port) {
        case ClaimStore claims when !method.getName().equals("read") -> {
          var unused = claims.write(NEVER);
        }
        case RequestQueue queue when queue.name().equals(dead) && method.getName().equals("send") ->
            throw refused;
        case RequestQueue queue when method.getName().equals("receive") -> {
          var unused = queue.receive(1, Duration.ZERO, Duration.ZERO);
        }
        default -> {
          var unused = method.invoke(port, arguments);
        }
      }
      refusals.worked(kind(port, method, arguments));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Call kind(Object port, Method method, @Nullable Object @Nullable [] arguments) {
    boolean one = port instanceof ResponseQueue && arguments != null && arguments.length > 0;
    return new Call(
        System.identityHashCode(port),
        method.getName(),
        one && arguments != null ? arguments[0] : null);
  }
}
