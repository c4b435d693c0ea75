package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.BlobStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A blob store whose calls meet their fates. */
final class UnreliableBlobStore implements BlobStore {
  private final BlobStore store;
  private final Injector injector;

  UnreliableBlobStore(BlobStore store, Injector injector) {
    this.store = store;
    this.injector = injector;
  }

  @Override
  public void put(String key, byte[] content) {
    injector.call(
        Operation.BLOB_PUT,
        () -> {
          store.put(key, content);
          return true;
        });
  }

  @Override
  public void put(String key, Path file) {
    injector.call(
        Operation.BLOB_PUT,
        () -> {
          store.put(key, file);
          return true;
        });
  }

  @Override
  public Optional<byte[]> get(String key) {
    return injector.call(Operation.BLOB_GET, () -> store.get(key));
  }

  @Override
  public boolean get(String key, Path file) {
    return injector.call(Operation.BLOB_GET, () -> store.get(key, file));
  }

  @Override
  public int renew(String prefix, long before) {
    return injector.call(Operation.BLOB_RENEW, () -> store.renew(prefix, before));
  }

  @Override
  public List<String> list(String prefix) {
    return injector.call(Operation.BLOB_LIST, () -> store.list(prefix));
  }

  @Override
  public void removeAll(String prefix) {
    injector.call(
        Operation.BLOB_REMOVE,
        () -> {
          store.removeAll(prefix);
          return true;
        });
  }
}
