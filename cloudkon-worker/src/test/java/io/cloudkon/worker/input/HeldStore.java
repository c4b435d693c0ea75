package io.cloudkon.worker.input;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store that counts, and answers a get only when it is let, or fails it in passing. */
final class HeldStore implements BlobStore {
  final AtomicInteger gets = new AtomicInteger();
  final AtomicInteger failures = new AtomicInteger();
  final Semaphore answers;
  private final BlobStore whole;

  /** The error that ends each get; null if it is answered. */
  volatile @Nullable Error planted;

  HeldStore(BlobStore whole, int answersAtOnce) {
    this.whole = whole;
    this.answers = new Semaphore(answersAtOnce);
  }

  private void get() {
    gets.incrementAndGet();
    try {
      answers.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientServiceException("interrupted", e);
    }
    Error error = planted;
    if (error != null) {
      throw error;
    }
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new TransientServiceException("planted", null);
    }
  }

  @Override
  public void put(String key, byte[] content) {
    whole.put(key, content);
  }

  @Override
  public void put(String key, Path file) {
    whole.put(key, file);
  }

  @Override
  public Optional<byte[]> get(String key) {
    get();
    return whole.get(key);
  }

  @Override
  public boolean get(String key, Path file) {
    get();
    return whole.get(key, file);
  }

  @Override
  public int renew(String prefix, long before) {
    return whole.renew(prefix, before);
  }

  @Override
  public List<String> list(String prefix) {
    return whole.list(prefix);
  }

  @Override
  public void removeAll(String prefix) {
    whole.removeAll(prefix);
  }
}
