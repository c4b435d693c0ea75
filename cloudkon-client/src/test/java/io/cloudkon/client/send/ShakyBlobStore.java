package io.cloudkon.client.send;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A blob store that fails the first puts in passing, and remembers all that were tried. */
final class ShakyBlobStore implements BlobStore {
  final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
  final AtomicInteger failuresLeft = new AtomicInteger();
  final AtomicInteger puts = new AtomicInteger();

  /** What happens in the middle of a put. */
  volatile Runnable during = () -> {};

  @Override
  public void put(String key, byte[] content) {
    puts.incrementAndGet();
    during.run();
    if (failuresLeft.getAndDecrement() > 0) {
      throw new TransientServiceException("the blob store shakes", null);
    }
    blobs.put(key, content.clone());
  }

  @Override
  public void put(String key, Path file) {
    try {
      put(key, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<byte[]> get(String key) {
    return Optional.ofNullable(blobs.get(key));
  }

  @Override
  public boolean get(String key, Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int renew(String prefix, long before) {
    return 0;
  }

  @Override
  public List<String> list(String prefix) {
    return new ArrayList<>(blobs.keySet());
  }

  @Override
  public void removeAll(String prefix) {
    blobs.clear();
  }
}
