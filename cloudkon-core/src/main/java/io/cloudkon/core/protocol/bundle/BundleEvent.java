package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimAnswer;

/** An event in the life of a bundle. */
public sealed interface BundleEvent {

  /** The claim store answered, or did not. */
  sealed interface OfClaim extends BundleEvent {}

  /** What became of something that was sent. */
  sealed interface OfDelivery extends BundleEvent {}

  /**
   * A slot is about to be free for it.
   *
   * @param startsAhead at-most-once: how many starts may be recorded ahead; 0 where none starts
   *     before that is recorded by a write of its own
   */
  record Begin(int startsAhead) implements BundleEvent {}

  /**
   * The claim store answered an acquisition.
   *
   * @param claim its key; may be empty where the message has no other
   */
  record AcquireAnswered(String claim, ClaimAnswer answer) implements OfClaim {
    /** The answer for the message's only claim. */
    public AcquireAnswered(ClaimAnswer answer) {
      this("", answer);
    }
  }

  /**
   * An acquisition failed in passing, and the back-off is over.
   *
   * @param claim its key; may be empty where the message has no other
   */
  record AcquireFailed(String claim) implements OfClaim {
    /** That of the message's only claim. */
    public AcquireFailed() {
      this("");
    }
  }

  /**
   * The claim store answered an owner's write.
   *
   * @param claim its key; may be empty where the message has no other
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
   * @param claim its key; may be empty where the message has no other
   * @param hiddenMillis for how long nobody is to receive the message
   */
  record AcquireRefused(String claim, long hiddenMillis) implements BundleEvent {}

  /**
   * An owner's write failed, and the back-off is over.
   *
   * @param claim its key; may be empty where the message has no other
   * @param refused whether it is not allowed: then it is tried until the lease is over, and no
   *     longer; else it failed in passing
   */
  record WriteFailed(String claim, long seq, boolean refused) implements OfClaim {
    /** One that failed in passing. */
    public WriteFailed(String claim, long seq) {
      this(claim, seq, false);
    }

    /** That of the message's only claim. */
    public WriteFailed(long seq) {
      this("", seq);
    }
  }

  /**
   * Tasks came to their end.
   *
   * @param tasks which
   * @param bytes about how many bytes their results take
   * @param failed which of them failed or timed out, and may be tried again
   */
  record Finished(Positions tasks, long bytes, Positions failed) implements BundleEvent {
    /** Tasks that are not to be tried again, however they ended. */
    public Finished(Positions tasks, long bytes) {
      this(tasks, bytes, Positions.none());
    }
  }

  /** Tasks were assigned to a slot and either never started there or were killed on their way. */
  record Interrupted(Positions notStarted, Positions killed) implements BundleEvent {}

  /** The response queue accepted the results of these tasks. */
  record ResultsAccepted(Positions tasks) implements OfDelivery {}

  /** Results could not be sent, and the back-off is over. */
  record ResultsFailed(Positions tasks) implements OfDelivery {}

  /**
   * Results of these tasks can go nowhere, and the back-off is over: unless that changes while its
   * tasks run, the bundle is given back without them.
   *
   * @param hiddenMillis for how long nobody is to receive it then
   */
  record Undeliverable(Positions tasks, long hiddenMillis) implements OfDelivery {}

  /** The request queue accepted a child. */
  record ChildAccepted(int k) implements OfDelivery {}

  /** A child could not be sent, and the back-off is over. */
  record ChildFailed(int k) implements OfDelivery {}

  /**
   * The request queue may not be sent to, or takes no such child: what runs may finish, and the
   * bundle is given back; its child stands in its claim, for its next owner to send.
   *
   * @param hiddenMillis for how long nobody is to receive the message
   */
  record ChildRefused(int k, long hiddenMillis) implements OfDelivery {}

  /**
   * The dead-letter queue accepted what was sent there.
   *
   * @param tasks which; may be empty where the message has one claim
   */
  record DeadAccepted(Positions tasks) implements OfDelivery {
    /** All that was sent for the message's only claim. */
    public DeadAccepted() {
      this(Positions.none());
    }
  }

  /**
   * Nothing could be sent to the dead-letter queue, and the back-off is over.
   *
   * @param tasks which; may be empty where the message has one claim
   */
  record DeadFailed(Positions tasks) implements OfDelivery {
    /** All that was to be sent for the message's only claim. */
    public DeadFailed() {
      this(Positions.none());
    }
  }

  /**
   * The dead-letter queue may not be sent to, or takes no such letter: the bundle is given back,
   * and who gives it up next sends its letter.
   *
   * @param tasks which; may be empty where the message has one claim
   * @param hiddenMillis for how long nobody is to receive the message
   */
  record DeadRefused(Positions tasks, long hiddenMillis) implements OfDelivery {}

  /**
   * The message is deleted, or its deletion was tried often enough: then it comes again, and its
   * claim is DONE.
   */
  record Deleted() implements BundleEvent {}

  /** The run is not open any more, or unknown. */
  record RunClosed() implements BundleEvent {}

  /**
   * No slot will be free for long: hand a share of what waits to whoever has one, or, where nothing
   * of it runs, give it back. May be said as often as it is true.
   */
  record HandOff() implements BundleEvent {}

  /**
   * The worker needs no bundle ahead any more, or another could start it sooner, or better.
   *
   * @param hiddenMillis for how long nobody is to receive it
   */
  record GiveBack(long hiddenMillis) implements BundleEvent {
    /** At once. */
    public GiveBack() {
      this(0);
    }
  }

  /**
   * Whether tasks that failed are to be tried by another worker, as there may be one. Else they are
   * tried again here.
   */
  record RetryElsewhere(boolean wanted) implements BundleEvent {}

  /** Another dangerous bundle runs here: give it back, for a while. */
  record Postpone() implements BundleEvent {}

  /**
   * What it ran on died, and nothing of it runs any more: give it back, and let the attempt count.
   */
  record AttemptDied() implements BundleEvent {}

  /**
   * Its worker is sick: these tasks could not be started, for no fault of theirs, and nothing more
   * of it starts here.
   *
   * @param tasks which; told before they come back as not started
   * @param reason what the worker suffers from, in one line
   * @param hiddenMillis for how long nobody is to receive the message: a worker that is well
   *     otherwise would be the next to have it; 0 where the worker can start no task at all
   */
  record Sick(Positions tasks, String reason, long hiddenMillis) implements BundleEvent {
    /** A worker that receives nothing itself any more. */
    public Sick(Positions tasks, String reason) {
      this(tasks, reason, 0);
    }

    /** Whether these tasks alone could not be started, and the worker is well otherwise. */
    boolean ofTheseAlone() {
      return hiddenMillis > 0;
    }
  }

  /**
   * That a sick worker gives it back is noted.
   *
   * @param claim the claim's key
   * @param workers how many gave it back like this so far
   */
  record SickNoted(String claim, int workers) implements BundleEvent {}

  /**
   * That could not be noted, and the back-off is over.
   *
   * @param claim the claim's key
   */
  record SickNoteFailed(String claim) implements BundleEvent {}

  /** The worker leaves, or takes nothing for a while. */
  record Drain() implements BundleEvent {}

  /** Time went by. */
  record Tick() implements BundleEvent {}
}
