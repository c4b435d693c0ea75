package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Checks the order of effects that {@code PROTOCOL.md} prescribes. */
final class Order {
  private final boolean watched;

  Order(boolean watched) {
    this.watched = watched;
  }

  /** Checks a change of a claim. */
  void written(@Nullable Claim before, Claim claim) {
    if (before == null) {
      return;
    }
    check(before.state() != ClaimState.DONE, "claim %s was DONE already", claim.id());
    check(
        claim.done().containsAll(before.done()),
        "claim %s forgets what was recorded: %s -> %s",
        claim.id(),
        before,
        claim);
    check(
        claim.attempt() > before.attempt()
            || claim.seq() > before.seq()
            || claim.equals(before)
            || claim.survived().size() > before.survived().size(),
        "claim %s: an older write undid a newer one",
        claim.id());
    check(
        claim.survived().containsAll(before.survived()),
        "claim %s forgets what was taken back: %s -> %s",
        claim.id(),
        before,
        claim);
  }

  /** Checks that recorded tasks have accepted results. */
  void recorded(BundleFacts of, Claim claim, BitSet replied) {
    if (watched) {
      claim.done().stream()
          .forEach(position ->
              check(
                  replied.get(of.ordinal(position)),
                  "task %d of %s was recorded before its result was accepted",
                  of.ordinal(position),
                  claim.id()));
    }
  }

  /** Checks a claim that becomes DONE. */
  void ended(Claim claim, int tasks) {
    check(
        claim.done().plus(claim.handedOn()).containsAll(Positions.range(0, tasks)),
        "claim %s is DONE without all its tasks: %s",
        claim.id(),
        claim);
    check(
        claim.children().values().stream().allMatch(Child::sent),
        "claim %s is DONE with a child that was not sent",
        claim.id());
  }

  /** Checks that a task's start is recorded; for at-most-once. */
  void startRecorded(@Nullable Claim claim, int position, String worker) {
    check(
        claim != null && claim.started().contains(position),
        "position %d started on %s without a recorded start: %s",
        position,
        worker,
        claim);
  }

  /** Checks that a worker that starts a task or sends holds the lease. */
  void mayAct(String what, @Nullable Claim claim, String nonce, int attempt, long now) {
    if (claim == null || !claim.nonce().equals(nonce) || claim.attempt() != attempt) {
      check(false, "%s, attempt %d, on a claim not its own: %s", what, attempt, claim);
      return;
    }
    check(
        claim.state() == ClaimState.LEASED || claim.state() == ClaimState.LOSING,
        "%s on %s",
        what,
        claim);
    check(now < claim.leaseEnd(), "%s, %d ms past its lease", what, now - claim.leaseEnd());
  }

  /** Checks that a worker may delete the message of a bundle with a claim. */
  void mayDelete(String worker, String bundle, @Nullable Claim claim) {
    check(
        claim != null && claim.state() == ClaimState.DONE,
        "message of %s deleted by %s before its claim was DONE: %s",
        bundle,
        worker,
        claim);
  }

  /** Checks that a worker may delete the message of a bundle without a claim. */
  void mayDelete(BundleFacts of, BitSet replied) {
    if (watched) {
      of.of
          .bundle()
          .tasks()
          .forEach(task ->
              check(
                  replied.get(task.ordinal()),
                  "message of %s deleted without result of %d",
                  of.of,
                  task.ordinal()));
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // That annotation would be a dependency of its own.
  private void check(boolean holds, String message, @Nullable Object... details) {
    if (watched && !holds) {
      throw new Violation(message, details);
    }
  }
}
