package io.cloudkon.worker.execute;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Drains a command's output to its end, keeps its head and counts all of it. The head and not the
 * tail, so that the kept bytes are the same wherever the limit cuts and memory stays bounded while
 * it runs.
 */
final class Capture implements Runnable {
  private static final int CHUNK = 16 * 1024;

  private final InputStream in;
  private final int limit;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
  private final CountDownLatch ended = new CountDownLatch(1);
  private long total;

  Capture(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  @Override
  public void run() {
    byte[] chunk = new byte[CHUNK];
    try {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        take(chunk, n);
      }
    } catch (IOException e) {
      // the stream was closed on a command that is over: what came until then is its output
    } finally {
      ended.countDown();
    }
  }

  /** Whether all of it came within the time. */
  boolean ends(long nanos) throws InterruptedException {
    return ended.await(nanos, TimeUnit.NANOSECONDS);
  }

  synchronized byte[] head() {
    return kept.toByteArray();
  }

  synchronized long total() {
    return total;
  }

  private synchronized void take(byte[] chunk, int n) {
    kept.write(chunk, 0, Math.min(n, limit - kept.size()));
    total += n;
  }
}
