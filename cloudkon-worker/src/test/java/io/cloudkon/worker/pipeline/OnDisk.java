package io.cloudkon.worker.pipeline;

import io.cloudkon.core.model.Spooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** An output without content, as if it lay on disk; counts how often it was released. */
public final class OnDisk implements Spooled {
  private final AtomicInteger releases = new AtomicInteger();

  /** How often it was released. */
  public int releases() {
    return releases.get();
  }

  @Override
  public int length() {
    return 0;
  }

  @Override
  public ByteBuffer bytes() {
    return ByteBuffer.allocate(0);
  }

  @Override
  public Path folder() {
    return Path.of("");
  }

  @Override
  public void release() {
    releases.incrementAndGet();
  }
}
