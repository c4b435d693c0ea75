package io.cloudkon.client.run;

import io.cloudkon.core.port.BlobStore;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A blob store that runs a callback before each put. Immutable.
 *
 * @param noted is called before each put
 */
record NotedBlobs(BlobStore store, Runnable noted) implements BlobStore {
  @Override
  public void put(String key, byte[] content) {
    noted.run();
    store.put(key, content);
  }

  @Override
  public void put(String key, Path file) {
    noted.run();
    store.put(key, file);
  }

  @Override
  public Optional<byte[]> get(String key) {
    return store.get(key);
  }

  @Override
  public boolean get(String key, Path file) {
    return store.get(key, file);
  }

  @Override
  public int renew(String prefix, long before) {
    return store.renew(prefix, before);
  }

  @Override
  public void spent(Collection<String> keys) {
    store.spent(keys);
  }

  @Override
  public List<String> list(String prefix) {
    return store.list(prefix);
  }

  @Override
  public void removeAll(String prefix) {
    store.removeAll(prefix);
  }
}
