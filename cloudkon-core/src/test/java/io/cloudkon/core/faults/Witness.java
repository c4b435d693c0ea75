package io.cloudkon.core.faults;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows what really took place, at the services and in the slots, and speaks up when a promise is
 * broken that a user could see. The order of effects is for {@link Order}.
 */
final class Witness {
  private final Consistency consistency;
  private final Order order;
  private final Map<String, Bundle> bundles = new LinkedHashMap<>();
  private final Map<String, Claim> claims = new HashMap<>();
  private final BitSet everStarted = new BitSet();
  private final BitSet everRecordedStarted = new BitSet();
  private final Map<Integer, Integer> starts = new HashMap<>();
  private final Map<List<Object>, Integer> startedByAttempt = new HashMap<>();

  /** Tasks of bundles that lost so many workers that nobody tries again. */
  private final BitSet givenUp = new BitSet();

  private final BitSet replied = new BitSet();
  private final BitSet repliedForReal = new BitSet();
  private final List<String> closedRuns = new ArrayList<>();

  Witness(Consistency consistency, boolean orderChecked) {
    this.consistency = consistency;
    this.order = new Order(orderChecked);
  }

  /** A bundle, or child, that is about to be sent. */
  void sending(Bundle bundle) {
    bundles.putIfAbsent(bundle.header().bundle(), bundle);
  }

  /** The run was closed: from here on tasks may be left. */
  void closed(String run) {
    closedRuns.add(run);
  }

  /** A claim as it stands now. */
  void claimed(Claim claim) {
    Claim before = claims.put(claim.id(), claim);
    for (int ordinal : ordinals(claim.id(), claim.started())) {
      everRecordedStarted.set(ordinal);
    }
    if (claim.countedAttempts() > AttemptSettings.DEFAULT.max()) {
      bundle(claim.id()).tasks().forEach(task -> givenUp.set(task.ordinal()));
    }
    order.written(before, claim);
    order.recorded(claim, ordinals(claim.id(), claim.done()), replied);
    if (claim.state() == ClaimState.DONE && closedRuns.isEmpty()) {
      order.ended(claim, bundle(claim.id()).tasks().size());
    }
  }

  /** The response queue accepted results. */
  void replied(ResultBatch batch) {
    for (TaskResult result : batch.results()) {
      replied.set(result.ordinal());
      if (result.status() != TaskStatus.LOST) {
        repliedForReal.set(result.ordinal());
      }
    }
  }

  /** A task starts. */
  void started(String worker, String bundle, int position, String nonce, int attempt, long now) {
    int ordinal = bundle(bundle).tasks().get(position).ordinal();
    int times = starts.merge(ordinal, 1, Integer::sum);
    everStarted.set(ordinal);
    if (consistency == Consistency.AT_LEAST_ONCE) {
      return;
    }
    Claim claim = claims.get(bundle);
    if (consistency == Consistency.AT_MOST_ONCE) {
      check(times == 1, "task %d started %d times, the last on %s", ordinal, times, worker);
      order.startRecorded(claim, position, worker);
    }
    Task task = bundle(bundle).tasks().get(position);
    int tries = startedByAttempt.merge(List.of(ordinal, bundle, attempt, nonce), 1, Integer::sum);
    check(
        tries <= 1 + Math.min(task.retries(), Scenario.failures(task)),
        "task %d started too often under attempt %d of %s",
        ordinal,
        attempt,
        worker);
    check(
        times == 1 || !replied.get(ordinal) || claim == null || !claim.done().contains(position),
        "task %d started again on %s although it was recorded",
        ordinal,
        worker);
    mayAct("start of task " + ordinal, worker, bundle, nonce, attempt, now);
  }

  /** A worker starts a task or sends for a bundle: it must hold the lease. */
  void mayAct(String what, String worker, String bundle, String nonce, int attempt, long now) {
    if (consistency.claims()) {
      order.mayAct(what + " by " + worker, claims.get(bundle), nonce, attempt, now);
    }
  }

  /** A worker deletes a message. */
  void deleting(String worker, String bundle) {
    if (!closedRuns.isEmpty()) {
      return;
    }
    if (consistency.claims()) {
      order.mayDelete(worker, bundle, claims.get(bundle));
    } else {
      Positions all = Positions.range(0, bundle(bundle).tasks().size());
      order.mayDelete(bundle, ordinals(bundle, all), replied);
    }
  }

  /** The client has a final result. */
  void finalResult(int ordinal, TaskStatus status) {
    Task task = task(ordinal);
    boolean mayFail =
        Scenario.poison(task)
            || givenUp.get(ordinal)
            || Scenario.failures(task) > task.retries()
            || Scenario.failures(task) > 0 && consistency == Consistency.AT_MOST_ONCE;
    check(
        status == TaskStatus.SUCCEEDED
            || status == TaskStatus.LOST && consistency == Consistency.AT_MOST_ONCE
            || status == TaskStatus.FAILED && mayFail,
        "task %d ended %s",
        ordinal,
        status);
    check(
        status != TaskStatus.LOST || everRecordedStarted.get(ordinal),
        "task %d is LOST and was never recorded as started",
        ordinal);
    check(
        status != TaskStatus.LOST || !repliedForReal.get(ordinal),
        "task %d is LOST although its real result was accepted",
        ordinal);
    check(
        status == TaskStatus.LOST || everStarted.get(ordinal) || givenUp.get(ordinal),
        "task %d ended %s without a start",
        ordinal,
        status);
  }

  /** The end: every claim must be DONE. */
  void allDone() {
    if (consistency == Consistency.AT_LEAST_ONCE || !closedRuns.isEmpty()) {
      return;
    }
    for (String id : bundles.keySet()) {
      Claim claim = claims.get(id);
      check(claim != null && claim.state() == ClaimState.DONE, "at the end %s is %s", id, claim);
    }
  }

  /** Whether nothing is left to be done by workers. */
  boolean everythingDone() {
    return consistency == Consistency.AT_LEAST_ONCE
        || !closedRuns.isEmpty()
        || bundles.keySet().stream()
            .allMatch(id -> claims.containsKey(id) && claims.get(id).state() == ClaimState.DONE);
  }

  int startsOf(int ordinal) {
    return starts.getOrDefault(ordinal, 0);
  }

  int children() {
    return (int) bundles.keySet().stream().filter(id -> id.split("/").length > 3).count();
  }

  private Bundle bundle(String id) {
    Bundle bundle = bundles.get(id);
    check(bundle != null, "bundle %s was never sent", id);
    return bundle;
  }

  private Task task(int ordinal) {
    return bundles.values().stream()
        .flatMap(bundle -> bundle.tasks().stream())
        .filter(task -> task.ordinal() == ordinal)
        .findFirst()
        .orElseThrow(() -> new Violation("task %d was never sent", ordinal));
  }

  private int[] ordinals(String bundle, Positions positions) {
    return positions.stream().map(p -> bundle(bundle).tasks().get(p).ordinal()).toArray();
  }

  static void check(boolean holds, String message, Object... details) {
    if (!holds) {
      throw new Violation(message, details);
    }
  }
}
