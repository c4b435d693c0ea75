package io.cloudkon.worker.service;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import java.lang.reflect.Proxy;

/** A blob store without a bucket. */
final class NoBlobs {
  private NoBlobs() {}

  static BlobStore store() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              throw MissingResourceException.bucket("b", "-s Q", null);
            });
  }

  /** The same cluster without a bucket. */
  static Cluster in(Cluster whole) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        store(),
        whole.hpc());
  }
}
