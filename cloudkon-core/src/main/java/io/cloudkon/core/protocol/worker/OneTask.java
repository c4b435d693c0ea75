package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.BundleMachine;
import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Optional;

/**
 * A task of a message with its own claim. For its machine it is a bundle with a single task; its
 * effects name the task by its position in the message.
 */
final class OneTask {
  /** Its position for its machine. */
  static final Positions ONLY = Positions.of(0);

  private final Positions here;
  private final String claim;
  private final boolean exactlyOnce;
  private final BundleMachine machine;

  OneTask(WorkerEvent.Arrival arrival, int position, WorkerSettings settings, Moment hiddenSince) {
    Bundle message = arrival.bundle();
    this.claim = BundleIds.taskClaim(message.header().bundle(), position);
    this.exactlyOnce = message.header().consistency() == Consistency.EXACTLY_ONCE;
    this.here = Positions.of(position);
    this.machine =
        new BundleMachine(
            new Bundle(message.header().withBundle(claim), List.of(message.tasks().get(position))),
            arrival.receives(),
            settings.bundles(),
            settings.id(),
            arrival.nonce(),
            hiddenSince);
  }

  BundleMachine machine() {
    return machine;
  }

  /** Its position in the message. */
  Positions here() {
    return here;
  }

  /** Whether it is claimed, or about to be, and not in a slot. */
  boolean waits() {
    return machine.phase() == BundlePhase.CLAIMING || machine.pendingCount() > 0;
  }

  /** Whether it may be running, or its result may be on its way. */
  boolean active() {
    return switch (machine.phase()) {
      case RUNNING, LOSING, GIVING_UP, DRAINING -> true;
      case HELD, CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> false;
    };
  }

  /**
   * Takes its attempt back, because this live worker gives it up; empty if that is not permitted.
   */
  Optional<BundleEffect> survival() {
    boolean held =
        switch (machine.phase()) {
          case CLAIMING, RUNNING, LOSING, GIVING_UP, DRAINING, ENDING -> machine.attempt() > 0;
          case HELD, RELEASING, DELETING, CLOSED -> false;
        };
    return held && exactlyOnce
        ? Optional.of(
            new BundleEffect.CallClaims(new ClaimEffect.Survive(claim, machine.attempt())))
        : Optional.empty();
  }

  /** Translates an event of the message, which concerns this task among others. */
  BundleEvent ofTask(BundleEvent event) {
    return switch (event) {
      case BundleEvent.Finished finished ->
          new BundleEvent.Finished(
              ONLY, finished.bytes() / finished.tasks().size(), onlyIfIn(finished.failed()));
      case BundleEvent.Interrupted interrupted ->
          new BundleEvent.Interrupted(
              onlyIfIn(interrupted.notStarted()), onlyIfIn(interrupted.killed()));
      case BundleEvent.ResultsAccepted accepted -> new BundleEvent.ResultsAccepted(ONLY);
      case BundleEvent.ResultsFailed failed -> new BundleEvent.ResultsFailed(ONLY);
      case BundleEvent.Undeliverable nowhere ->
          new BundleEvent.Undeliverable(ONLY, nowhere.hiddenMillis());
      case BundleEvent.KilledByGuard killed -> new BundleEvent.KilledByGuard(ONLY);
      case BundleEvent.Sick sick -> new BundleEvent.Sick(ONLY, sick.reason(), sick.hiddenMillis());
      case BundleEvent.OfClaim _,
          BundleEvent.Begin _,
          BundleEvent.AcquireRefused _,
          BundleEvent.DeadAccepted _,
          BundleEvent.DeadFailed _,
          BundleEvent.DeadRefused _,
          BundleEvent.ChildAccepted _,
          BundleEvent.ChildFailed _,
          BundleEvent.ChildRefused _,
          BundleEvent.Postpone _,
          BundleEvent.AttemptDied _,
          BundleEvent.SickNoted _,
          BundleEvent.SickNoteFailed _,
          BundleEvent.Deleted _,
          BundleEvent.RunClosed _,
          BundleEvent.HandOff _,
          BundleEvent.GiveBack _,
          BundleEvent.RetryElsewhere _,
          BundleEvent.Drain _,
          BundleEvent.Tick _ ->
          event;
    };
  }

  private Positions onlyIfIn(Positions tasks) {
    return tasks.containsAll(here) ? ONLY : Positions.none();
  }

  /** Translates an effect to the message. */
  BundleEffect ofMessage(BundleEffect effect) {
    return switch (effect) {
      case BundleEffect.SendResults send -> new BundleEffect.SendResults(here);
      case BundleEffect.SendLost send -> new BundleEffect.SendLost(here);
      case BundleEffect.SendFailed send -> new BundleEffect.SendFailed(here, send.reason());
      case BundleEffect.SendDead send -> new BundleEffect.SendDead(here, send.reason());
      // At-most-once records its start with the acquisition, and nothing else hands it on.
      case BundleEffect.SendChild child ->
          throw new IllegalStateException("a single task has no child: " + child);
      case BundleEffect.CallClaims _,
          BundleEffect.NoteSick _,
          BundleEffect.ExtendVisibility _,
          BundleEffect.PutBack _,
          BundleEffect.DeleteMessage _,
          BundleEffect.Kill _,
          BundleEffect.Close _ ->
          effect;
    };
  }
}
