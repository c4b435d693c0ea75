package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A claim item as its owner knows it: what stands there for certain, and what the next write is to
 * say.
 */
final class OwnedItem {
  private Claim durable;
  private Positions starts;
  private Positions done;
  private final SortedMap<Integer, Child> children;
  private long seq;
  private boolean attemptCounts;

  /** The item as an acquisition showed it. */
  OwnedItem(Claim acquired) {
    durable = acquired;
    starts = acquired.started();
    done = acquired.done();
    children = new TreeMap<>(acquired.children());
    seq = acquired.seq();
  }

  /** What stands there for certain. */
  Claim durable() {
    return durable;
  }

  /** What it runs on died: the attempt counts as if its owner had, however it ends. */
  void attemptDied() {
    attemptCounts = true;
  }

  /** Takes this attempt back; empty where it counts although its owner lives. */
  Optional<ClaimEffect.Survive> survival() {
    return attemptCounts
        ? Optional.empty()
        : Optional.of(new ClaimEffect.Survive(durable.id(), durable.attempt()));
  }

  void start(Positions more) {
    starts = starts.plus(more);
  }

  void unstart(Positions notStarted) {
    starts = starts.minus(notStarted);
  }

  void record(Positions accepted) {
    done = done.plus(accepted);
  }

  void addChild(Positions tasks) {
    int k = children.isEmpty() ? 1 : children.lastKey() + 1;
    children.put(k, new Child(tasks, false));
  }

  void childSent(int k) {
    children.computeIfPresent(k, (key, child) -> new Child(child.tasks(), true));
  }

  /** Children that stand there for certain, with what is known of their sending. */
  SortedMap<Integer, Child> recordedChildren() {
    SortedMap<Integer, Child> recorded = new TreeMap<>(children);
    recorded.keySet().retainAll(durable.children().keySet());
    return recorded;
  }

  boolean allChildrenSent() {
    return children.values().stream().allMatch(Child::sent);
  }

  /** The next write: all that is wanted, with the next seq. */
  ClaimWrite next(ClaimState state, long leaseMillis, Moment now) {
    int releases = state == ClaimState.RELEASED && !attemptCounts ? 1 : 0;
    seq++;
    return new ClaimWrite(
        durable.id(),
        durable.attempt(),
        durable.nonce(),
        seq,
        durable.state(),
        state,
        now.service() + leaseMillis,
        durable.releases() + releases,
        starts,
        done,
        children,
        Claim.ttl(now));
  }

  /** The write was accepted. */
  void accepted(ClaimWrite write) {
    durable =
        new Claim(
            durable.id(),
            write.state(),
            durable.owner(),
            durable.nonce(),
            write.attempt(),
            write.seq(),
            write.releases(),
            write.leaseEnd(),
            write.started(),
            write.done(),
            write.children(),
            write.ttl(),
            durable.survived());
  }

  /**
   * Whether the item shows this write, or an earlier one of mine that gave the claim up already:
   * its answer was lost.
   */
  boolean shownBy(Claim current, ClaimWrite write) {
    boolean sameOwner =
        current.nonce().equals(durable.nonce()) && current.attempt() == write.attempt();
    boolean gaveUp = write.state() == ClaimState.DONE || write.state() == ClaimState.RELEASED;
    return sameOwner
        && (current.seq() == write.seq() || (gaveUp && current.state() == write.state()));
  }
}
