package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports tasks that nobody tries again, to their client and to the dead-letter queue; only then
 * are they recorded. Recorded earlier, they would be settled for whoever has the bundle next, and
 * nobody would send their letter.
 */
final class GivingUp {
  private @Nullable Verdict verdict;
  private DeadLetter deadLetter = DeadLetter.DUE;
  private Positions told = Positions.none();

  /** How far what goes to the dead-letter queue has come. */
  private enum DeadLetter {
    DUE,
    ON_ITS_WAY,
    SENT
  }

  /** From now on the tasks that are reported without having run are those of the verdict. */
  void begin(Verdict found) {
    verdict = found;
  }

  /** How tasks that did not run, or not to their end, are reported. */
  BundleEffect tell(Positions tasks) {
    return verdict == null
        ? new BundleEffect.SendLost(tasks)
        : new BundleEffect.SendFailed(tasks, verdict.reason());
  }

  /** The client knows of these tasks: gives those that may be recorded now. */
  Positions accepted(Positions tasks) {
    if (!unsent()) {
      return tasks;
    }
    told = told.plus(tasks);
    return Positions.none();
  }

  /** Whether the dead-letter queue has not yet what it is to have. */
  boolean unsent() {
    return verdict != null && deadLetter != DeadLetter.SENT;
  }

  /**
   * Whether nothing is left to be said.
   *
   * @param out takes what is to be sent
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

  /** The dead-letter queue has it: gives the tasks that may be recorded now. */
  Positions sent() {
    deadLetter = DeadLetter.SENT;
    return told;
  }

  /** It does not, and the back-off is over. */
  void notSent() {
    deadLetter = DeadLetter.DUE;
  }
}
