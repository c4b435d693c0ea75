package io.cloudkon.provisioner.decide;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.time.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Services that fail for a while: says so now and then, and once when they are back. A service may
 * also say for a moment that a queue or table does not exist; a cluster that has worked counts as
 * gone only if that lasts. Not thread safe.
 */
final class LostServices {
  private static final Logger LOG = LoggerFactory.getLogger(LostServices.class);

  /**
   * A lasting outage is reported again after this time, because the stack's alarm for launches
   * counts the log lines.
   */
  private static final long TELL_AGAIN_MILLIS = 300_000;

  private static final long GONE_MILLIS = 15_000;

  private final TimeSource time;
  private boolean worked;
  private boolean away;
  private long tellAt;
  private boolean missing;
  private long missingSince;

  LostServices(TimeSource time) {
    this.time = time;
  }

  /** Handles a call that worked, by which the cluster has been there. */
  void reached() {
    worked = true;
  }

  /** Handles a reading of all of the cluster that this provisioner needs now. */
  void read() {
    missing = false;
  }

  /** Handles the answer that a queue or table does not exist; returns whether it is final. */
  boolean isGone() {
    long now = time.now().mono();
    if (!missing) {
      missing = true;
      missingSince = now;
    }
    return !worked || now - missingSince >= GONE_MILLIS;
  }

  /** Handles a failed call. */
  void lost(CloudKonException e) {
    missing &= e instanceof MissingResourceException;
    long now = time.now().mono();
    if (!away || now >= tellAt) {
      LOG.warn("nothing is launched: {}; trying again", e.getMessage());
      tellAt = now + TELL_AGAIN_MILLIS;
    }
    away = true;
  }

  /** Handles a step without failures. */
  void back() {
    if (away) {
      LOG.warn("the failed calls succeed again: decisions continue");
    }
    away = false;
  }
}
