package io.cloudkon.client.session;

import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an open run's objects in the blob store while a client is attached: otherwise the bucket's
 * lifecycle rule removes objects after 15 days, even if the run takes longer. Makes one listing a
 * day (one an hour while it is refused), and a copy of each object that is a week old; makes no
 * call for a run without objects.
 */
final class BlobKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobKeeper.class);

  /** The interval between looks. */
  static final Duration EVERY = Duration.ofDays(1);

  /**
   * The age at which objects are renewed, which leaves a week of failed looks before they expire.
   */
  static final Duration OLD = Duration.ofDays(7);

  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);

  /** A policy may be mended long before the objects expire. */
  private static final Duration AFTER_A_REFUSAL = Duration.ofHours(1);

  private final RunBlobs blobs;
  private final String run;
  private final TimeSource time;
  private final Duration every;
  private final Watch watch;
  private boolean warned;

  /**
   * Starts to look, until it is closed.
   *
   * @param resumed whether to look at once, because objects may be old already; those of a new run
   *     are not
   */
  BlobKeeper(RunContext run, boolean resumed) {
    this(run.blobs(), run.identity().run(), run.time(), EVERY, resumed);
  }

  BlobKeeper(RunBlobs blobs, String run, TimeSource time, Duration every, boolean resumed) {
    this.blobs = blobs;
    this.run = run;
    this.time = time;
    this.every = every;
    this.watch =
        new Watch("cloudkon-blobs", resumed ? Duration.ZERO : every, () -> Optional.of(look()));
    watch.start();
  }

  /** Renews objects, and returns the time until the next look. */
  private Duration look() {
    if (!blobs.certain()) {
      return every;
    }
    try {
      int renewed = blobs.store().renew(BlobKeys.run(run), time.serviceMillis() - OLD.toMillis());
      LOG.debug("renewed {} objects of run {}", renewed, run);
      warned = false;
      return every;
    } catch (TransientServiceException e) {
      LOG.debug("could not renew the objects of run {}: {}", run, e.getMessage());
      return atMost(every, AFTER_A_FAILURE);
    } catch (CloudKonException e) {
      warn(e);
      return atMost(every, AFTER_A_REFUSAL);
    }
  }

  private static Duration atMost(Duration most, Duration pause) {
    return pause.compareTo(most) < 0 ? pause : most;
  }

  private void warn(CloudKonException e) {
    if (!warned && !watch.stopped()) {
      LOG.warn(
          "objects of run {} in the blob store may expire 15 days after they were stored: {};"
              + " trying again every hour",
          run,
          e.getMessage());
    }
    warned = true;
  }

  @Override
  public void close() throws InterruptedException {
    watch.close();
  }
}
