package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A claim item from its owner's point of view: its durable content, and the content of the next
 * write.
 */
final class OwnedItem {
  private Claim durable;
  private Positions starts;
  private Positions done;
  private final SortedMap<Integer, Child> children;
  private long seq;
  private boolean attemptCounts;

  /** The item as the acquisition returned it. */
  OwnedItem(Claim acquired) {
    durable = acquired;
    starts = acquired.started();
    done = acquired.done();
    children = new TreeMap<>(acquired.children());
    seq = acquired.seq();
  }

  /** The durable content. */
  Claim durable() {
    return durable;
  }

  /** Records that the attempt counts, however it ends. */
  void attemptCounts() {
    attemptCounts = true;
  }

  /** Takes this attempt back; empty if it counts although its owner is alive. */
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

  /** The durable children, and whether they are known to have been sent. */
  SortedMap<Integer, Child> recordedChildren() {
    SortedMap<Integer, Child> recorded = new TreeMap<>(children);
    recorded.keySet().retainAll(durable.children().keySet());
    return recorded;
  }

  boolean allChildrenSent() {
    return children.values().stream().allMatch(Child::sent);
  }

  /** The next write, with all requested changes and the next seq. */
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
        now.leaseEnd(leaseMillis),
        durable.releases() + releases,
        starts,
        done,
        children,
        Claim.ttl(now));
  }

  /** Records that a write was accepted. */
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
   * Whether the item shows this write, or an earlier one of this owner that already gave up the
   * claim, whose answer was lost.
   */
  boolean shownBy(Claim current, ClaimWrite write) {
    boolean sameOwner =
        current.nonce().equals(durable.nonce()) && current.attempt() == write.attempt();
    boolean gaveUp = write.state() == ClaimState.DONE || write.state() == ClaimState.RELEASED;
    return sameOwner
        && (current.seq() == write.seq() || (gaveUp && current.state() == write.state()));
  }
}
