package io.cloudkon.client.session;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.WorkerRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client's connection to a cluster, by which it dies: at one of its calls, before or after that
 * had its effect. From then on none of its calls has any, and at that very moment somebody may keep
 * what is on its disk.
 */
final class MortalCluster {
  /** What a dead client's calls throw. */
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final Duration POLL = Duration.ofMillis(20);

  /** Short, so that what a dead client has received comes again soon. */
  private static final Duration VISIBILITY = Duration.ofMillis(200);

  private final AtomicInteger left;
  private final boolean after;
  private final Runnable atDeath;
  private final Cluster cluster;
  private boolean dead;

  /**
   * A client that lives for so many calls.
   *
   * @param after whether its last call has its effect
   * @param atDeath is run once, when it has died
   */
  MortalCluster(Cluster whole, int calls, boolean after, Runnable atDeath) {
    this.left = new AtomicInteger(calls);
    this.after = after;
    this.atDeath = atDeath;
    this.cluster =
        new Cluster(
            whole.name(),
            mortal(RequestQueue.class, whole.requests()),
            whole.dead(),
            mortal(ResponseQueue.class, whole.responses()),
            mortal(ClaimStore.class, whole.claims()),
            mortal(WorkerRegistry.class, whole.workers()),
            mortal(RunStore.class, whole.runs()),
            whole.decisions(),
            mortal(BlobStore.class, whole.blobs()),
            new Cluster.Hpc(
                mortal(RequestQueue.class, whole.hpc().jobs()),
                whole.hpc().ranks(),
                whole.hpc().ledger()));
  }

  Cluster cluster() {
    return cluster;
  }

  /** Whether it has died. */
  synchronized boolean dead() {
    return dead;
  }

  private <T> T mortal(Class<T> port, T whole) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (method.getName().equals("name")) {
                return method.invoke(whole, arguments);
              }
              return method.getName().equals("receive")
                  ? receive(whole, method, arguments)
                  : call(whole, method, arguments);
            }));
  }

  private Object call(Object whole, Method method, Object[] arguments) throws Throwable {
    checkAlive();
    boolean last = left.decrementAndGet() == 0;
    if (last && !after) {
      die();
    }
    Object answer = invoke(whole, method, arguments);
    if (last) {
      die();
    }
    checkAlive();
    return answer;
  }

  /** Polls, so that a dead client's receive comes back soon; each poll is a call. */
  private Object receive(Object whole, Method method, Object[] arguments) throws Throwable {
    Duration wait = (Duration) arguments[arguments.length - 2];
    for (Duration waited = Duration.ZERO; ; waited = waited.plus(POLL)) {
      checkAlive();
      arguments[arguments.length - 2] = POLL;
      arguments[arguments.length - 1] = VISIBILITY;
      Object answer = invoke(whole, method, arguments);
      if (left.decrementAndGet() == 0) {
        die();
      }
      checkAlive();
      if (!((List<?>) answer).isEmpty() || waited.compareTo(wait) >= 0) {
        return answer;
      }
    }
  }

  private static Object invoke(Object whole, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(whole, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private synchronized void checkAlive() {
    if (dead) {
      throw new Died();
    }
  }

  private synchronized void die() {
    if (!dead) {
      dead = true;
      atDeath.run();
    }
    throw new Died();
  }
}
