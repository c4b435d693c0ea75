package io.cloudkon.worker.service;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.WorkerRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports of which every third call of each method throws what no contract allows. */
final class BrokenPorts {
  private BrokenPorts() {}

  static Cluster everyThirdCallThrows(Cluster whole) {
    return new Cluster(
        whole.name(),
        broken(RequestQueue.class, whole.requests()),
        whole.dead(),
        broken(ResponseQueue.class, whole.responses()),
        broken(ClaimStore.class, whole.claims()),
        broken(WorkerRegistry.class, whole.workers()),
        broken(RunStore.class, whole.runs()),
        whole.decisions(),
        broken(BlobStore.class, whole.blobs()),
        whole.hpc());
  }

  private static <T> T broken(Class<T> port, T whole) {
    Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, args) -> {
              if (method.getName().equals("endsReceivesAtOnce")) {
                return method.invoke(whole, args); // no call
              }
              int nth =
                  calls
                      .computeIfAbsent(method.getName(), m -> new AtomicInteger())
                      .incrementAndGet();
              if (nth % 3 == 1) {
                throw nth % 2 == 0
                    ? new IllegalStateException("planted")
                    : new NoClassDefFoundError("planted");
              }
              try {
                return method.invoke(whole, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
