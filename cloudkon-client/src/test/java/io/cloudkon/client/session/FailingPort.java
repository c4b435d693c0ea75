package io.cloudkon.client.session;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Clusters of which one method of one port always throws. */
final class FailingPort {
  private FailingPort() {}

  static Cluster ofResponses(Cluster whole, String method, Throwable why) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        failing(ResponseQueue.class, whole.responses(), method, why),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  static Cluster ofRuns(Cluster whole, String method, Throwable why) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        failing(RunStore.class, whole.runs(), method, why),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  private static <T> T failing(Class<T> port, T whole, String name, Throwable why) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, args) -> {
              if (method.getName().equals(name)) {
                throw why;
              }
              try {
                return method.invoke(whole, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
