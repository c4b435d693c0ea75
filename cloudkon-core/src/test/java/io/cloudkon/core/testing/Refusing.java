package io.cloudkon.core.testing;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.WorkerRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cluster with a policy: calls whose method on a port was refused throw what AWS would, until
 * they are allowed again. Thread safe.
 */
public final class Refusing {
  private final Map<String, RuntimeException> refused = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final Cluster cluster;

  /** Allows everything. */
  public Refusing(Cluster real) {
    this.cluster =
        new Cluster(
            real.name(),
            port(RequestQueue.class, "requests", real.requests()),
            port(RequestQueue.class, "dead", real.dead()),
            port(ResponseQueue.class, "responses", real.responses()),
            port(ClaimStore.class, "claims", real.claims()),
            port(WorkerRegistry.class, "workers", real.workers()),
            port(RunStore.class, "runs", real.runs()),
            port(DecisionStore.class, "decisions", real.decisions()),
            port(BlobStore.class, "blobs", real.blobs()),
            new Cluster.Hpc(
                port(RequestQueue.class, "jobs", real.hpc().jobs()),
                port(RequestQueue.class, "ranks", real.hpc().ranks()),
                port(CapacityLedger.class, "ledger", real.hpc().ledger())));
  }

  /** The cluster as its users see it. */
  public Cluster cluster() {
    return cluster;
  }

  /**
   * Refuses a method of a port from now on.
   *
   * @param call port and method, as in {@code claims.write}
   * @param action as IAM names it
   * @param resource the queue's, table's or bucket's name
   */
  public Refusing refuse(String call, String action, String resource) {
    String kind =
        switch (action.substring(0, action.indexOf(':'))) {
          case "sqs" -> "queue";
          case "dynamodb" -> "table";
          default -> "bucket";
        };
    return fail(
        call, new RefusedException(action, kind, resource, "HTTP 403 AccessDenied planted", null));
  }

  /** Lets a method of a port fail from now on. */
  public Refusing fail(String call, RuntimeException with) {
    refused.put(call, with);
    return this;
  }

  /** Allows it again. */
  public void allow(String call) {
    refused.remove(call);
  }

  /** How often it was called in vain. */
  public int refusals(String call) {
    return counts.computeIfAbsent(call, c -> new AtomicInteger()).get();
  }

  private <T> T port(Class<T> type, String name, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(name, real, method, arguments)));
  }

  private Object call(String port, Object real, Method method, Object[] arguments)
      throws Throwable {
    String call = port + '.' + method.getName();
    RuntimeException planted = refused.get(call);
    if (planted != null) {
      counts.computeIfAbsent(call, c -> new AtomicInteger()).incrementAndGet();
      throw planted;
    }
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
