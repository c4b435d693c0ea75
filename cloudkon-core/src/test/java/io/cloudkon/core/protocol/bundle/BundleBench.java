package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A bundle machine with its claim item and time; nothing happens unless a test lets it. */
final class BundleBench {
  static final int TASKS = 4;
  static final Positions ALL = Positions.range(0, TASKS);

  final Consistency consistency;
  final String id;
  final BundleMachine machine;
  Moment now = new Moment(70_000, 2_000_000);
  @Nullable Claim item;

  /** Calls on the claim without an answer. */
  final List<ClaimEffect.Call> calls = new ArrayList<>();

  /** Attempts that it wants to take back. */
  final List<ClaimEffect.Survive> survived = new ArrayList<>();

  /** Everything else that was asked for since it was looked at last. */
  final List<BundleEffect> effects = new ArrayList<>();

  BundleBench(Consistency consistency) {
    this(consistency, "n1");
  }

  /** The nonce is fresh for each receive. */
  BundleBench(Consistency consistency, String nonce) {
    this(consistency, nonce, 0, 1);
  }

  /** Each task may be tried again so often; its message was received so often. */
  BundleBench(Consistency consistency, String nonce, int retries, int receives) {
    this(consistency, nonce, retries, receives, "run/e/0");
  }

  BundleBench(Consistency consistency, String nonce, int retries, int receives, String id) {
    this(consistency, nonce, retries, receives, id, TASKS);
  }

  private BundleBench(
      Consistency consistency, String nonce, int retries, int receives, String id, int count) {
    this.consistency = consistency;
    this.id = id;
    BundleHeader header =
        new BundleHeader("run", "e", id, "Q-response-client", consistency, 1024, 0, 0, 0);
    List<Task> tasks =
        IntStream.range(0, count)
            .mapToObj(i -> new Task(i, "t" + i, Work.Noop.INSTANCE, 0, retries))
            .toList();
    machine =
        new BundleMachine(
            new Bundle(header, tasks),
            receives,
            new BundleSettings(
                LeaseSettings.DEFAULT,
                ReplySettings.DEFAULT,
                AttemptSettings.DEFAULT,
                RetrySettings.DEFAULT),
            "me",
            nonce,
            now);
  }

  /** A bundle whose tasks may run. */
  static BundleBench running(Consistency consistency) {
    return new BundleBench(consistency).begin();
  }

  /** So many tasks in at-most-once, of which four starts are recorded at a time. */
  static BundleBench atMostOnce(int count, String id) {
    return new BundleBench(Consistency.AT_MOST_ONCE, "n1", 0, 1, id, count).begin();
  }

  BundleBench begin() {
    on(new BundleEvent.Begin(TASKS));
    if (consistency.claims()) {
      answer();
    }
    return this;
  }

  /** At-most-once: a bundle whose owner died after it had started two tasks and recorded one. */
  static BundleBench losing() {
    BundleBench bench = new BundleBench(Consistency.AT_MOST_ONCE);
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.on(new BundleEvent.Begin(TASKS));
    bench.answer();
    bench.answer();
    return bench;
  }

  Claim others(ClaimState state, long leaseEnd) {
    return new Claim(
        "run/e/0",
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

  BundleBench on(BundleEvent event) {
    take(machine.on(event, now));
    return this;
  }

  /** All tasks go to a slot. */
  Positions takeTasks(int max) {
    List<BundleEffect> out = new ArrayList<>();
    Positions taken = machine.take(max, TASKS, now, out);
    take(out);
    return taken;
  }

  BundleBench later(long millis) {
    now = now.plus(millis);
    return this;
  }

  BundleBench finished(int... positions) {
    return on(new BundleEvent.Finished(Positions.of(positions), 100));
  }

  /** Tasks came to an end that may be tried again. */
  BundleBench failed(int... positions) {
    return on(new BundleEvent.Finished(Positions.of(positions), 100, Positions.of(positions)));
  }

  BundleBench accepted(int... positions) {
    return on(new BundleEvent.ResultsAccepted(Positions.of(positions)));
  }

  /** Runs all tasks to their end. */
  BundleBench runAll() {
    Positions taken = takeTasks(TASKS);
    if (!taken.equals(ALL)) {
      throw new AssertionError("only " + taken + " could start");
    }
    return finished(0, 1, 2, 3);
  }

  ClaimWrite write() {
    return ((ClaimEffect.Write) calls.getFirst()).write();
  }

  /** The dead-letter queue accepts the letter. */
  BundleBench letterAccepted() {
    return on(new BundleEvent.DeadAccepted());
  }

  /** The oldest call on the claim is carried out and answered. */
  BundleBench answer() {
    ClaimEffect.Call call = calls.removeFirst();
    Optional<Claim> changed =
        switch (call) {
          case ClaimEffect.Acquire acquire -> ClaimRules.acquire(item, acquire.acquisition());
          case ClaimEffect.Write write -> ClaimRules.write(item, write.write());
          case ClaimEffect.Survive survive -> throw new AssertionError("not collected: " + survive);
        };
    changed.ifPresent(claim -> item = claim);
    ClaimAnswer answer =
        changed
            .<ClaimAnswer>map(ClaimAnswer.Accepted::new)
            .orElseGet(() -> new ClaimAnswer.Refused(item));
    return on(
        switch (call) {
          case ClaimEffect.Acquire acquire -> new BundleEvent.AcquireAnswered(answer);
          case ClaimEffect.Write write ->
              new BundleEvent.WriteAnswered(write.write().seq(), answer);
          case ClaimEffect.Survive survive -> throw new AssertionError("not collected: " + survive);
        });
  }

  /** What was asked for since the last look, calls on the claim left out. */
  List<BundleEffect> asked() {
    List<BundleEffect> asked = List.copyOf(effects);
    effects.clear();
    return asked;
  }

  private void take(List<BundleEffect> more) {
    for (BundleEffect effect : more) {
      if (effect instanceof BundleEffect.CallClaims(ClaimEffect.Survive survive)) {
        survived.add(survive);
      } else if (effect instanceof BundleEffect.CallClaims call) {
        calls.add(call.call());
      } else {
        effects.add(effect);
      }
    }
  }
}
