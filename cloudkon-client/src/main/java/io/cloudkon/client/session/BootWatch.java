package io.cloudkon.client.session;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a run's account, until a worker has answered, whether workers are still being launched: no
 * worker is alive, and a provisioner is active. Makes one read per look; without a provisioner,
 * looks become rarer. Does nothing if sending does not wait for answers.
 */
final class BootWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BootWatch.class);

  /** Early enough that the client does not yet send more without an answer. */
  static final Duration FIRST = Duration.ofSeconds(1);

  static final Duration AGAIN = Duration.ofSeconds(3);
  private static final Duration RAREST = Duration.ofSeconds(48);

  private final DecisionStore decisions;
  private final RunAccount account;
  private final TimeSource time;
  private final Duration first;
  private final Duration again;
  private final Watch watch;

  /** The time until the next look. */
  private Duration pause;

  private Optional<ProvisionerEntry> last = Optional.empty();

  /** Starts watching. */
  BootWatch(RunContext run) {
    this(run.cluster().decisions(), run.account(), run.time(), FIRST, AGAIN);
  }

  BootWatch(
      DecisionStore decisions,
      RunAccount account,
      TimeSource time,
      Duration first,
      Duration again) {
    this.decisions = decisions;
    this.account = account;
    this.time = time;
    this.first = first;
    this.again = again;
    this.pause = first;
    this.watch = new Watch("cloudkon-boots", first, this::lookAgain);
    if (account.sending().waitsForAnswers()) {
      watch.start();
    }
  }

  private Optional<Duration> lookAgain() {
    boolean goesOn = false;
    try {
      goesOn = !account.sending().answered() && !account.counts().allSent() && tryLook();
    } finally {
      if (!goesOn) {
        // Also after an unexpected failure: nothing would tell the client that workers have come.
        account.sending().noWorkerYet(false);
      }
    }
    return goesOn ? Optional.of(pause) : Optional.empty();
  }

  /** Looks, and returns whether to look again after the pause. */
  private boolean tryLook() {
    try {
      boolean launches = look();
      pause = launches || pause.equals(first) ? again : rarer(pause);
      return true;
    } catch (MissingResourceException e) {
      LOG.debug("no provisioner can be asked for: {}", e.getMessage());
    } catch (CloudKonException e) {
      // If it cannot be read, the client continues as if there were no provisioner.
      LOG.warn("could not find out whether workers are booting: {}", e.getMessage());
    }
    return false;
  }

  private static Duration rarer(Duration pause) {
    Duration longer = pause.multipliedBy(2);
    return longer.compareTo(RAREST) > 0 ? RAREST : longer;
  }

  /** Returns whether a provisioner is active. While reads fail, its last entry counts. */
  private boolean look() {
    try {
      last = decisions.provisioner();
    } catch (TransientServiceException e) {
      LOG.debug("could not read the provisioner's entry: {}", e.getMessage());
    }
    long now = time.serviceMillis();
    Optional<ProvisionerEntry> live = last.filter(entry -> entry.livesAt(now));
    account.sending().noWorkerYet(live.filter(entry -> entry.fleet().live() == 0).isPresent());
    return live.isPresent();
  }

  @Override
  public void close() throws InterruptedException {
    try {
      watch.close();
    } finally {
      account.sending().noWorkerYet(false);
    }
  }
}
