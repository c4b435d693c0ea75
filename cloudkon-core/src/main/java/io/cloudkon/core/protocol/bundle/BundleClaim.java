package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimMachine;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A bundle's claim, or its substitute in at-least-once, which is always valid, makes no calls, and
 * is ended or released at once. Pure; used by one thread at a time.
 */
final class BundleClaim {
  private final @Nullable ClaimMachine machine;
  private final long lease;
  private final Unanswered unanswered;

  BundleClaim(BundleHeader header, LeaseSettings settings, String owner, String nonce) {
    this.lease = settings.lease();
    this.unanswered = new Unanswered(lease);
    this.machine =
        header.consistency().claims()
            ? new ClaimMachine(
                header.bundle(),
                header.consistency(),
                header.claim() != ClaimScope.ONCE,
                settings,
                owner,
                nonce)
            : null;
  }

  boolean exists() {
    return machine != null;
  }

  /** The claim's attempt; 1 if there is no claim. */
  int attempt() {
    return machine == null ? 1 : machine.attempt();
  }

  /** The remaining time of its lease in milliseconds, without deduction of the margin. */
  long leaseLeft(Moment now) {
    return machine == null ? lease : machine.leaseLeft(now);
  }

  boolean valid(Moment now) {
    return machine == null || machine.valid(now);
  }

  // ---- asked for

  List<ClaimEffect> acquire(Positions startsAtOnce, Moment now) {
    return machine == null ? List.of() : machine.acquire(startsAtOnce, now);
  }

  /** Handles an answer of the claim store, or its absence. */
  List<ClaimEffect> on(BundleEvent.OfClaim event, Moment now) {
    if (machine == null) {
      return List.of();
    }
    return switch (event) {
      case BundleEvent.AcquireAnswered answered ->
          switch (answered.answer()) {
            case ClaimAnswer.Accepted accepted -> machine.acquired(accepted.claim(), now);
            case ClaimAnswer.Refused refused -> machine.acquireRefused(refused.current(), now);
          };
      case BundleEvent.AcquireFailed failed -> {
        // Repeated even by a worker that leaves: if the acquisition took effect, it is to be
        // released, and its starts taken back.
        unanswered.failed(now);
        yield machine.acquireFailed(now);
      }
      case BundleEvent.WriteAnswered answered ->
          switch (answered.answer()) {
            case ClaimAnswer.Accepted accepted -> machine.written(answered.seq(), now);
            case ClaimAnswer.Refused refused ->
                machine.writeRefused(answered.seq(), refused.current(), now);
          };
      case BundleEvent.WriteFailed failed ->
          machine.writeFailed(failed.seq(), failed.refused(), now);
    };
  }

  /** Whether an acquisition that failed temporarily may have taken effect. */
  boolean mayBeMine(Moment now) {
    return machine != null && unanswered.mayHold(now);
  }

  List<ClaimEffect> askAgain(Moment now) {
    return machine == null ? List.of() : machine.acquireFailed(now);
  }

  // ---- written

  List<ClaimEffect> tick(Moment now) {
    return machine == null ? List.of() : machine.tick(now);
  }

  List<ClaimEffect> start(Positions more, Moment now) {
    return machine == null || more.isEmpty() ? List.of() : machine.start(more, now);
  }

  void unstart(Positions notStarted) {
    if (machine != null) {
      machine.unstart(notStarted);
    }
  }

  Positions startsRecorded() {
    return machine == null ? Positions.none() : machine.startsRecorded();
  }

  void record(Positions settled) {
    if (machine != null) {
      machine.record(settled);
    }
  }

  List<ClaimEffect> handOn(Positions tasks, Moment now) {
    return machine == null || tasks.isEmpty() ? List.of() : machine.handOn(tasks, now);
  }

  void childSent(int k) {
    if (machine != null) {
      machine.childSent(k);
    }
  }

  SortedMap<Integer, Child> childrenRecorded() {
    return machine == null ? Collections.emptySortedMap() : machine.childrenRecorded();
  }

  boolean allChildrenSent() {
    return machine == null || machine.allChildrenSent();
  }

  // ---- given up

  List<ClaimEffect> end(Moment now) {
    return machine == null ? List.of(new ClaimEffect.Ended()) : machine.end(now);
  }

  List<ClaimEffect> release(Moment now) {
    return machine == null ? List.of(new ClaimEffect.Released()) : machine.release(now);
  }

  /** Writes pending changes without releasing the claim, whose lease then expires. */
  List<ClaimEffect> flush(Moment now) {
    return machine == null ? List.of() : machine.flush(now);
  }

  boolean flushed() {
    return machine != null && machine.flushed();
  }

  List<ClaimEffect> attemptCounts(boolean survived) {
    return machine == null ? List.of() : machine.attemptCounts(survived);
  }
}
