package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports tasks that are not tried again to their client and to the dead-letter queue, and only
 * then lets them be recorded. If they were recorded earlier, they would be settled for the next
 * owner of the bundle, and nobody would send their letter.
 */
final class GivingUp {
  private @Nullable Verdict verdict;
  private DeadLetter deadLetter = DeadLetter.DUE;
  private Positions told = Positions.none();

  /** The progress of the dead letter. */
  private enum DeadLetter {
    DUE,
    ON_ITS_WAY,
    SENT
  }

  /** Begins to report the tasks of the verdict. */
  void begin(Verdict found) {
    verdict = found;
  }

  /** The effect that reports tasks that did not run or did not finish. */
  BundleEffect tell(Positions tasks) {
    return verdict == null
        ? new BundleEffect.SendLost(tasks)
        : new BundleEffect.SendFailed(tasks, verdict.reason());
  }

  /** Records that the client knows of these tasks; returns those that may be recorded now. */
  Positions accepted(Positions tasks) {
    if (!unsent()) {
      return tasks;
    }
    told = told.plus(tasks);
    return Positions.none();
  }

  /** Whether the letter was not sent yet. */
  boolean unsent() {
    return verdict != null && deadLetter != DeadLetter.SENT;
  }

  /**
   * Whether nothing is left to be reported.
   *
   * @param out receives what is to be sent
   */
  boolean settled(List<BundleEffect> out) {
    if (verdict == null || !unsent()) {
      return true;
    }
    if (deadLetter == DeadLetter.DUE) {
      deadLetter = DeadLetter.ON_ITS_WAY;
      out.add(new BundleEffect.SendDead(verdict.failed(), verdict.reason()));
    }
    return false;
  }

  /** Records that the letter was sent; returns the tasks that may be recorded now. */
  Positions sent() {
    deadLetter = DeadLetter.SENT;
    return told;
  }

  /** Records that the letter could not be sent, and that the back-off is over. */
  void notSent() {
    deadLetter = DeadLetter.DUE;
  }
}
