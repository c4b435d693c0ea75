package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimAnswer;

/** An event in the life of a bundle. */
public sealed interface BundleEvent {

  /** An answer of the claim store, or its absence. */
  sealed interface OfClaim extends BundleEvent {
    /** The claim's key; may be empty if the message has no other. */
    String claim();
  }

  /** The outcome of a send. */
  sealed interface OfDelivery extends BundleEvent {}

  /**
   * A slot for it is about to become free.
   *
   * @param startsAhead in at-most-once, how many starts may be recorded in advance; 0 if each start
   *     is recorded by a separate write
   */
  record Begin(int startsAhead) implements BundleEvent {}

  /**
   * The claim store answered an acquisition.
   *
   * @param claim its key; may be empty if the message has no other
   */
  record AcquireAnswered(String claim, ClaimAnswer answer) implements OfClaim {
    /** The answer for the message's only claim. */
    public AcquireAnswered(ClaimAnswer answer) {
      this("", answer);
    }
  }

  /**
   * An acquisition failed temporarily, and the back-off is over.
   *
   * @param claim its key; may be empty if the message has no other
   */
  record AcquireFailed(String claim) implements OfClaim {
    /** The failure for the message's only claim. */
    public AcquireFailed() {
      this("");
    }
  }

  /**
   * The claim store answered an owner's write.
   *
   * @param claim its key; may be empty if the message has no other
   */
  record WriteAnswered(String claim, long seq, ClaimAnswer answer) implements OfClaim {
    /** The answer for the message's only claim. */
    public WriteAnswered(long seq, ClaimAnswer answer) {
      this("", seq, answer);
    }
  }

  /**
   * An acquisition is not allowed, and had no effect.
   *
   * @param claim its key; may be empty if the message has no other
   * @param hiddenMillis how long the message is to be hidden
   */
  record AcquireRefused(String claim, long hiddenMillis) implements BundleEvent {}

  /**
   * An owner's write failed, and the back-off is over.
   *
   * @param claim its key; may be empty if the message has no other
   * @param refused whether it is not allowed, and then it is repeated only until the lease is over;
   *     otherwise it failed temporarily
   */
  record WriteFailed(String claim, long seq, boolean refused) implements OfClaim {
    /** A write that failed temporarily. */
    public WriteFailed(String claim, long seq) {
      this(claim, seq, false);
    }

    /** The failure for the message's only claim. */
    public WriteFailed(long seq) {
      this("", seq);
    }
  }

  /**
   * Tasks have finished.
   *
   * @param tasks the tasks
   * @param bytes the approximate size of their results in bytes
   * @param failed those that failed or timed out and may be tried again
   */
  record Finished(Positions tasks, long bytes, Positions failed) implements BundleEvent {
    /** Tasks that are not to be tried again, however they ended. */
    public Finished(Positions tasks, long bytes) {
      this(tasks, bytes, Positions.none());
    }
  }

  /** Tasks were assigned to a slot but did not start there or were killed while they ran. */
  record Interrupted(Positions notStarted, Positions killed) implements BundleEvent {}

  /** The response queue accepted the results of these tasks. */
  record ResultsAccepted(Positions tasks) implements OfDelivery {}

  /** Results could not be sent, and the back-off is over. */
  record ResultsFailed(Positions tasks) implements OfDelivery {}

  /**
   * Results of these tasks cannot be delivered, and the back-off is over: unless this changes while
   * its tasks run, the bundle is given back without the results.
   *
   * @param hiddenMillis how long its message is then to be hidden
   */
  record Undeliverable(Positions tasks, long hiddenMillis) implements OfDelivery {}

  /** The request queue accepted a child. */
  record ChildAccepted(int k) implements OfDelivery {}

  /** A child could not be sent, and the back-off is over. */
  record ChildFailed(int k) implements OfDelivery {}

  /**
   * The request queue refuses a child, by a policy or permanently: running tasks may finish, and
   * the bundle is given back. Its next owner sends the child, which is recorded in the claim.
   *
   * @param hiddenMillis how long the message is to be hidden
   */
  record ChildRefused(int k, long hiddenMillis) implements OfDelivery {}

  /**
   * The dead-letter queue accepted a letter.
   *
   * @param tasks its tasks; may be empty if the message has one claim
   */
  record DeadAccepted(Positions tasks) implements OfDelivery {
    /** The letter for the message's only claim. */
    public DeadAccepted() {
      this(Positions.none());
    }
  }

  /**
   * A letter could not be sent to the dead-letter queue, and the back-off is over.
   *
   * @param tasks its tasks; may be empty if the message has one claim
   */
  record DeadFailed(Positions tasks) implements OfDelivery {
    /** The letter for the message's only claim. */
    public DeadFailed() {
      this(Positions.none());
    }
  }

  /**
   * The dead-letter queue refuses a letter, by a policy or permanently: the bundle is given back,
   * and the next worker that gives it up sends the letter.
   *
   * @param tasks its tasks; may be empty if the message has one claim
   * @param hiddenMillis how long the message is to be hidden
   */
  record DeadRefused(Positions tasks, long hiddenMillis) implements OfDelivery {}

  /**
   * The message is deleted, or its deletion was tried often enough; then it is delivered again and
   * its claim is DONE.
   */
  record Deleted() implements BundleEvent {}

  /** The run is not open any more, or unknown. */
  record RunClosed() implements BundleEvent {}

  /**
   * No slot will be free for a long time: hand on a share of the waiting tasks, or, if none of its
   * tasks runs, give the bundle back. May be repeated as long as it is true.
   */
  record HandOff() implements BundleEvent {}

  /**
   * Give the bundle back, because the worker no longer needs a bundle in advance, or another worker
   * could start it sooner or better.
   *
   * @param hiddenMillis how long its message is to be hidden
   */
  record GiveBack(long hiddenMillis) implements BundleEvent {
    /** Give it back for others to receive at once. */
    public GiveBack() {
      this(0);
    }
  }

  /**
   * Whether failed tasks are to be tried by another worker, because there may be one; otherwise
   * they are tried again here.
   */
  record RetryElsewhere(boolean wanted) implements BundleEvent {}

  /** Another dangerous bundle runs here: give this one back for a while. */
  record Postpone() implements BundleEvent {}

  /**
   * A worker on which it ran died, and nothing of it runs any more: give it back and count the
   * attempt.
   */
  record AttemptDied() implements BundleEvent {}

  /**
   * These tasks were killed here, because the worker stood still or its guard was killed, perhaps
   * by them: give the bundle back, because no task starts twice in one attempt, and count the
   * attempt as one that its owner survived.
   */
  record KilledByGuard(Positions tasks) implements BundleEvent {}

  /**
   * Its worker is sick: these tasks could not be started for a reason that is not theirs, and no
   * more of its tasks start here.
   *
   * @param tasks the tasks; this event precedes the one that returns them as not started
   * @param reason the worker's problem, in one line
   * @param hiddenMillis how long the message is to be hidden, because an otherwise healthy worker
   *     might receive it again; 0 if the worker can start no task at all
   */
  record Sick(Positions tasks, String reason, long hiddenMillis) implements BundleEvent {
    /** The event of a worker that receives nothing any more. */
    public Sick(Positions tasks, String reason) {
      this(tasks, reason, 0);
    }

    /** Whether only these tasks could not be started, and the worker is otherwise healthy. */
    boolean ofTheseAlone() {
      return hiddenMillis > 0;
    }
  }

  /**
   * It was noted that a sick worker gives the bundle back.
   *
   * @param claim the claim's key
   * @param workers the number of sick workers that have given it back so far
   */
  record SickNoted(String claim, int workers) implements BundleEvent {}

  /**
   * The note could not be written, and the back-off is over.
   *
   * @param claim the claim's key
   */
  record SickNoteFailed(String claim) implements BundleEvent {}

  /** The worker leaves, or takes no work for a while. */
  record Drain() implements BundleEvent {}

  /** Time has passed. */
  record Tick() implements BundleEvent {}
}
