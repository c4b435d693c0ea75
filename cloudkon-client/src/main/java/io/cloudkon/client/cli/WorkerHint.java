package io.cloudkon.client.cli;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Tells a person who waits for results that no worker lives; once, after a while without any. */
final class WorkerHint implements AutoCloseable {
  private static final long AFTER_SECONDS = 10;

  private final Cluster cluster;
  private final LongSupplier done;
  private final TimeSource time;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Starts to watch.
   *
   * @param done results so far
   */
  WorkerHint(Cluster cluster, LongSupplier done, TimeSource time) {
    this.cluster = cluster;
    this.done = done;
    this.time = time;
    this.thread = Thread.ofVirtual().name("cloudkon-hint").start(this::watch);
  }

  private void watch() {
    try {
      if (!ended.await(AFTER_SECONDS, TimeUnit.SECONDS) && done.getAsLong() == 0 && nobodyLives()) {
        System.err.printf(
            "cloudkon client: no worker lives; the tasks wait. Start one with: cloudkon worker -s"
                + " %s%n",
            cluster.name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (CloudKonException e) {
      // Nobody can say: then nothing is said.
      return;
    }
  }

  private boolean nobodyLives() {
    long now = time.serviceMillis();
    return cluster.workers().list().stream().noneMatch(worker -> worker.livesAt(now));
  }

  @Override
  public void close() throws InterruptedException {
    ended.countDown();
    thread.join();
  }
}
