package io.cloudkon.client.session;

import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an open run has in the blob store for as long as a client is attached: a bucket's
 * lifecycle rule removes what is 15 days old, however long the run takes. One listing a day of a
 * run that has something there, and a copy of each object that is a week old; a run that keeps
 * nothing there makes no call.
 */
final class BlobKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobKeeper.class);

  /** How often it looks. */
  static final Duration EVERY = Duration.ofDays(1);

  /** So old is what it renews: a week of looks that fail is left before it expires. */
  static final Duration OLD = Duration.ofDays(7);

  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);

  private final RunBlobs blobs;
  private final String run;
  private final TimeSource time;
  private final Duration every;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Goes on to look until it is closed.
   *
   * @param resumed whether it looks at once, as what is there may have lain for long; what a new
   *     run stores is young
   */
  BlobKeeper(RunContext run, boolean resumed) {
    this(run.blobs(), run.identity().run(), run.time(), EVERY, resumed);
  }

  BlobKeeper(RunBlobs blobs, String run, TimeSource time, Duration every, boolean resumed) {
    this.blobs = blobs;
    this.run = run;
    this.time = time;
    this.every = every;
    this.thread =
        Thread.ofVirtual()
            .name("cloudkon-blobs")
            .start(() -> keep(resumed ? Duration.ZERO : every));
  }

  private void keep(Duration first) {
    try {
      Duration pause = first;
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (CloudKonException e) {
      if (closed.getCount() > 0) {
        LOG.warn(
            "what run {} has in the blob store can expire 15 days after it was stored: {}",
            run,
            e.getMessage());
      }
    }
  }

  /** Gives how long to wait until the next look. */
  private Duration look() {
    if (!blobs.certain()) {
      return every;
    }
    try {
      int renewed = blobs.store().renew(BlobKeys.run(run), time.serviceMillis() - OLD.toMillis());
      LOG.debug("renewed {} objects of run {}", renewed, run);
      return every;
    } catch (TransientServiceException e) {
      LOG.debug("could not renew the objects of run {}: {}", run, e.getMessage());
      return AFTER_A_FAILURE.compareTo(every) < 0 ? AFTER_A_FAILURE : every;
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    thread.interrupt();
    thread.join();
  }
}
