package io.cloudkon.simulator.faults;

import io.cloudkon.simulator.world.BugHook;
import java.util.function.Supplier;

/** Bugs that are planted to show that the checks can fail: each a variant of a production class. */
enum Bug {
  /** The store takes an owner's write without a look at its attempt, its nonce and its seq. */
  STALE_WRITE_ACCEPTED(() -> new WrongLaw(WrongLaw.Breach.STALE_WRITE)),
  /** The store takes an owner's write without a look at its seq. */
  SEQ_IGNORED(() -> new WrongLaw(WrongLaw.Breach.SEQ)),
  /** The store knows an owner by its attempt and nonce no more. */
  NONCE_LOST(() -> new WrongLaw(WrongLaw.Breach.NONCE)),
  /** The store gives away a claim whose lease still runs. */
  LIVE_LEASE_TAKEN(() -> new WrongLaw(WrongLaw.Breach.LIVE_LEASE)),
  /** The store gives away a claim that is DONE. */
  DONE_RETAKEN(() -> new WrongLaw(WrongLaw.Breach.DONE)),
  /** The store says that it recorded starts, and does not. */
  STARTS_NOT_RECORDED(() -> new WrongLaw(WrongLaw.Breach.STARTS)),
  /** The same nonce for each receive of a bundle. */
  NONCE_REUSED(WrongWorker.NonceReused::new),
  /** The message is deleted as soon as the claim is there, or, without claims, is received. */
  ACKNOWLEDGED_EARLY(WrongWorker.AcknowledgedEarly::new),
  /** Tasks are recorded before the response queue has their results. */
  RECORDED_BEFORE_REPLIED(WrongWorker.RecordedBeforeReplied::new),
  /** A worker that loses a claim lets its tasks run on. */
  TASKS_RUN_ON(WrongWorker.TasksRunOn::new),
  /** The client is told of a task that is given up before the dead-letter queue has it. */
  FAILED_BEFORE_LETTER(WrongWorker.FailedBeforeLetter::new),
  /** A split sends the child before the claim says that there is one. */
  SPLIT_SENT_BEFORE_RECORDED(WrongWorker.SplitSentBeforeRecorded::new),
  /** A worker that lost a lease and lives says nothing of it. */
  OUTAGE_COUNTED_AS_DEATH(WrongWorker.OutageCountedAsDeath::new),
  /** A worker whose write the SDK sent twice takes the answer to the second for another owner's. */
  RETRIED_WRITE_TAKEN_AS_FENCED(WrongWorker.RetriedWriteFenced::new),
  /** A worker does not look whether the runs of its bundles are cancelled. */
  CLOSED_RUN_UNNOTICED(WrongWorker.ClosedRunUnnoticed::new),
  /** A worker that leaves loses the tasks that it has not started. */
  NOT_STARTED_LOST(WrongWorker.NotStartedLost::new),
  /** A worker that leaves kills its tasks at once, not when its time is up. */
  DRAIN_KILLS_AT_ONCE(WrongWorker.DrainKillsAtOnce::new),
  /** A worker whose receive failed never receives again. */
  DEAF_AFTER_FAILED_RECEIVE(WrongWorker.DeafAfterFailedReceive::new),
  /** A worker takes a write to a claim for done that it was denied. */
  REFUSED_WRITE_TAKEN_AS_DONE(WrongRefusals.WriteTakenAsDone::new),
  /** A worker takes a child for sent that it may not send. */
  REFUSED_CHILD_TAKEN_AS_SENT(WrongRefusals.ChildTakenAsSent::new),
  /** A worker takes results for stored that may neither be sent nor stored. */
  REFUSED_RESULTS_TAKEN_AS_STORED(WrongRefusals.ResultsTakenAsStored::new),
  /** The client judges a bundle's tasks by its own claim even where they were handed to a child. */
  CHILDREN_FORGOTTEN(WrongClient.ChildrenForgotten::new),
  /** The client sends a bundle again under another id when the answer to its send was lost. */
  RETRIED_UNDER_NEW_ID(WrongClient.RetriedUnderNewId::new),
  /** The client takes the first LOST for the final result. */
  LOST_FINAL_AT_ONCE(WrongClient.LostFinalAtOnce::new),
  /** The client deletes results from the response queue before it has written them. */
  RESULTS_DELETED_EARLY(WrongClient.ResultsDeletedEarly::new),
  /** The client settles a cancelled run without the results that workers have stored. */
  STORED_RESULTS_CANCELLED(WrongClient.StoredResultsCancelled::new),
  /** The client of a cancelled run takes a receive that fails for that of an empty queue. */
  FAILED_RECEIVE_TAKEN_AS_EMPTY(WrongClient.FailedReceiveTakenAsEmpty::new);

  private final Supplier<BugHook> twist;

  Bug(Supplier<BugHook> twist) {
    this.twist = twist;
  }

  /** A world with this bug in it. */
  BugHook twist() {
    return twist.get();
  }
}
