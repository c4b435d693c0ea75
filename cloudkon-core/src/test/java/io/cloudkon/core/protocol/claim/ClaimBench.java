package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A claim machine, the item that it is about, and time: calls are carried out by the rules when a
 * test says so.
 */
final class ClaimBench {
  static final String BUNDLE = "run/e/0";
  static final String ME = "me";
  static final String NONCE = "n1";
  static final LeaseSettings LEASE = LeaseSettings.DEFAULT;

  final ClaimMachine machine;
  @Nullable Claim item;
  Moment now = new Moment(50_000, 1_000_000);

  /** What the machine asked for and was not answered yet. */
  final List<ClaimEffect.Call> calls = new ArrayList<>();

  /** Attempts that it wants to take back. */
  final List<ClaimEffect.Survive> survived = new ArrayList<>();

  /** What the machine told, in order. */
  final List<ClaimEffect> news = new ArrayList<>();

  ClaimBench(Consistency consistency) {
    machine = new ClaimMachine(BUNDLE, consistency, true, LEASE, ME, NONCE);
  }

  static ClaimBench exactlyOnce() {
    return new ClaimBench(Consistency.EXACTLY_ONCE);
  }

  static ClaimBench atMostOnce() {
    return new ClaimBench(Consistency.AT_MOST_ONCE);
  }

  /** Both clocks go on. */
  ClaimBench later(long millis) {
    now = now.plus(millis);
    return this;
  }

  void take(List<ClaimEffect> effects) {
    for (ClaimEffect effect : effects) {
      if (effect instanceof ClaimEffect.Survive survive) {
        survived.add(survive);
      } else if (effect instanceof ClaimEffect.Call call) {
        calls.add(call);
      } else {
        news.add(effect);
      }
    }
  }

  ClaimBench acquire(int... starts) {
    take(machine.acquire(Positions.of(starts), now));
    return this;
  }

  /** The oldest call without an answer reaches the item and is answered. */
  void answer() {
    reply(calls.removeFirst());
  }

  /** The same, and the answer is lost on its way back. */
  void answerLost() {
    ClaimEffect.Call call = calls.removeFirst();
    Optional<Claim> unused = carryOut(call);
    fail(call);
  }

  /** The oldest call without an answer never arrives. */
  void failed() {
    fail(calls.removeFirst());
  }

  void tick() {
    take(machine.tick(now));
  }

  /** Acquires and is granted at once. */
  ClaimBench granted(int... starts) {
    acquire(starts);
    answer();
    return this;
  }

  ClaimWrite write() {
    return ((ClaimEffect.Write) calls.getFirst()).write();
  }

  Acquisition acquisition() {
    return ((ClaimEffect.Acquire) calls.getFirst()).acquisition();
  }

  Claim item() {
    return java.util.Objects.requireNonNull(item);
  }

  private void reply(ClaimEffect.Call call) {
    Optional<Claim> changed = carryOut(call);
    take(
        switch (call) {
          case ClaimEffect.Acquire acquire ->
              changed.isPresent()
                  ? machine.acquired(changed.get(), now)
                  : machine.acquireRefused(item, now);
          case ClaimEffect.Write write ->
              changed.isPresent()
                  ? machine.written(write.write().seq(), now)
                  : machine.writeRefused(write.write().seq(), item, now);
          case ClaimEffect.Survive survive -> throw new AssertionError("not collected: " + survive);
        });
  }

  private Optional<Claim> carryOut(ClaimEffect.Call call) {
    Optional<Claim> changed =
        switch (call) {
          case ClaimEffect.Acquire acquire -> ClaimRules.acquire(item, acquire.acquisition());
          case ClaimEffect.Write write -> ClaimRules.write(item, write.write());
          case ClaimEffect.Survive survive -> ClaimRules.survive(item, survive.attempt());
        };
    changed.ifPresent(claim -> item = claim);
    return changed;
  }

  private void fail(ClaimEffect.Call call) {
    take(
        switch (call) {
          case ClaimEffect.Acquire acquire -> machine.acquireFailed(now);
          case ClaimEffect.Write write -> machine.writeFailed(write.write().seq(), false, now);
          case ClaimEffect.Survive survive -> throw new AssertionError("not collected: " + survive);
        });
  }

  /** Somebody else's claim. */
  Claim others(ClaimState state, long leaseEnd) {
    return new Claim(
        BUNDLE,
        state,
        "other",
        "n0",
        1,
        3,
        0,
        leaseEnd,
        Positions.of(0, 1),
        Positions.of(0),
        new TreeMap<>(),
        0);
  }
}
