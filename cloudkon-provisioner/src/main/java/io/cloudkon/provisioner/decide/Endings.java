package io.cloudkon.provisioner.decide;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the instances that a plan gives up. An instance that cannot be ended is reported once and
 * tried again every half minute; it does not delay anything else. Used by one thread at a time.
 */
final class Endings {
  private static final Logger LOG = LoggerFactory.getLogger(Endings.class);
  private static final long AGAIN_MILLIS = 30_000;

  private final InstanceLauncher launcher;
  private final TimeSource time;
  private Set<String> named = Set.of();
  private String refusal = "";
  private long againAt = Long.MIN_VALUE;

  Endings(InstanceLauncher launcher, TimeSource time) {
    this.launcher = launcher;
    this.time = time;
  }

  /**
   * Ends the instances, except those that were refused recently.
   *
   * @return the instances that may still exist
   */
  Set<String> end(List<String> instances) {
    Set<String> ids = Set.copyOf(instances);
    if (!ids.equals(named)) {
      againAt = Long.MIN_VALUE;
      refusal = "";
      named = ids;
      if (!ids.isEmpty()) {
        LOG.warn(
            "these instances are ended, as their workers did not come up in time or have been"
                + " silent for as long: {}",
            instances);
      }
    }
    if (ids.isEmpty()) {
      return ids;
    }
    return time.now().mono() < againAt || !ended(instances) ? ids : Set.of();
  }

  private boolean ended(List<String> instances) {
    try {
      launcher.terminate(instances);
      return true;
    } catch (TransientServiceException e) {
      tell("failed in passing", e);
    } catch (CloudKonException e) {
      againAt = time.now().mono() + AGAIN_MILLIS;
      tell("refused", e);
    }
    return false;
  }

  private void tell(String kind, CloudKonException e) {
    if (!kind.equals(refusal)) {
      LOG.warn(
          "some of these workers cannot be ended and count toward --max: {}; trying again",
          e.getMessage());
    }
    refusal = kind;
  }
}
