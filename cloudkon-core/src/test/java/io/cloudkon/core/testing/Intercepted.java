package io.cloudkon.core.testing;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Clusters of which the calls to one port meet somebody on their way. */
public final class Intercepted {
  /** The call itself. */
  public interface Call {
    Object make() throws Throwable;
  }

  /** Who meets it: makes it or not, and gives the answer. */
  public interface Way {
    Object call(String method, Object[] arguments, Call call) throws Throwable;
  }

  private Intercepted() {}

  public static Cluster runs(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        port(RunStore.class, whole.runs(), way),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  public static Cluster requests(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        port(RequestQueue.class, whole.requests(), way),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  public static Cluster dead(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        port(RequestQueue.class, whole.dead(), way),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  public static Cluster jobs(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        new Cluster.Hpc(
            port(RequestQueue.class, whole.hpc().jobs(), way),
            whole.hpc().ranks(),
            whole.hpc().ledger()));
  }

  public static Cluster responses(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        port(ResponseQueue.class, whole.responses(), way),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  public static Cluster claims(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        port(ClaimStore.class, whole.claims(), way),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  public static Cluster blobs(Cluster whole, Way way) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        port(BlobStore.class, whole.blobs(), way),
        whole.hpc());
  }

  private static <T> T port(Class<T> port, T whole, Way way) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) ->
                way.call(
                    method.getName(),
                    arguments,
                    () -> {
                      try {
                        return method.invoke(whole, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
