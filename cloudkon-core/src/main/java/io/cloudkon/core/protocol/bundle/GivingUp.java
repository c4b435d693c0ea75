package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports tasks that are not tried again: first to the dead-letter queue, then to their client, and
 * only then lets them be recorded. A client ends its run with the last result, and then nobody
 * would send the letter any more; a recorded task is settled for the next owner of the bundle, who
 * would not send it either. If the letter is refused, the client is told without it, so that the
 * run can end; the tasks stay unrecorded, and the next owner tries the letter again.
 */
final class GivingUp {
  private @Nullable Verdict verdict;
  private DeadLetter deadLetter = DeadLetter.DUE;

  /** The progress of the dead letter. */
  private enum DeadLetter {
    DUE,
    ON_ITS_WAY,
    SENT,
    REFUSED
  }

  /** Begins to report the tasks of the verdict. */
  void begin(Verdict found) {
    verdict = found;
  }

  /**
   * Reports tasks that did not run or did not finish to the client, or sends their letter first.
   *
   * @param out receives the effect
   * @return whether the client is told now
   */
  boolean tell(TaskLedger tasks, List<BundleEffect> out) {
    if (verdict == null) {
      out.add(new BundleEffect.SendLost(tasks.sendLost()));
      return true;
    }
    if (deadLetter == DeadLetter.DUE) {
      deadLetter = DeadLetter.ON_ITS_WAY;
      out.add(new BundleEffect.SendDead(verdict.failed(), verdict.reason()));
    }
    if (deadLetter == DeadLetter.ON_ITS_WAY) {
      return false;
    }
    out.add(new BundleEffect.SendFailed(tasks.sendLost(), verdict.reason()));
    return true;
  }

  /** Of tasks that the client knows of, those that may be recorded. */
  Positions accepted(Positions tasks) {
    return verdict == null || deadLetter == DeadLetter.SENT ? tasks : tasks.minus(verdict.failed());
  }

  /** Whether a letter is due that was not sent yet. */
  boolean unsent() {
    return verdict != null && deadLetter != DeadLetter.SENT;
  }

  /** Records that the letter was sent. */
  void sent() {
    deadLetter = DeadLetter.SENT;
  }

  /** Records that the letter could not be sent, and that the back-off is over. */
  void notSent() {
    deadLetter = DeadLetter.DUE;
  }

  /** Records that the letter may not be sent from here. */
  void refused() {
    deadLetter = DeadLetter.REFUSED;
  }
}
