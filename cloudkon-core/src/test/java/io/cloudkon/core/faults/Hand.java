package io.cloudkon.core.faults;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A bundle in a worker's hand: its message, and the results that it has so far. */
final class Hand {
  final long key;
  final Bundle bundle;
  final String handle;
  final String nonce;
  boolean closed;
  private final Map<Integer, TaskResult> results = new HashMap<>();
  private final Map<Integer, Integer> tries = new HashMap<>();

  Hand(long key, Bundle bundle, String handle, String nonce) {
    this.key = key;
    this.bundle = bundle;
    this.handle = handle;
    this.nonce = nonce;
  }

  String id() {
    return bundle.header().bundle();
  }

  /** A try came to its end; says whether it failed. */
  boolean finished(int position, long micros) {
    Task task = bundle.tasks().get(position);
    boolean failed = tries.merge(position, 1, Integer::sum) <= Scenario.failures(task);
    TaskStatus status = failed ? TaskStatus.FAILED : TaskStatus.SUCCEEDED;
    results.put(position, result(task.ordinal(), status, failed ? "failed" : "", micros));
    return failed;
  }

  List<TaskResult> results(Positions positions) {
    return positions.stream()
        .mapToObj(p -> {
          TaskResult result = results.get(p);
          if (result == null) {
            throw new Violation("result of task %d of %s asked for before its end", p, id());
          }
          return result;
        })
        .toList();
  }

  List<TaskResult> notRun(Positions positions, TaskStatus status, String reason, long micros) {
    return positions.stream()
        .mapToObj(p -> bundle.tasks().get(p).ordinal())
        .map(ordinal -> result(ordinal, status, reason, micros))
        .toList();
  }

  private static TaskResult result(int ordinal, TaskStatus status, String error, long micros) {
    return TaskResult.notRun(ordinal, Integer.toString(ordinal + 1), status, error, micros);
  }

  ResultBatch batch(String worker, int slots, int attempt, List<TaskResult> of) {
    return new ResultBatch(
        bundle.header().run(),
        bundle.header().epoch(),
        id(),
        new ResultBatch.WorkerId(worker, slots, 0),
        Math.max(1, attempt),
        nonce,
        new ResultBatch.BundleStamps(0, 0, 0, 0, 0),
        of,
        List.of(),
        "");
  }

  @Override
  public String toString() {
    return id() + "#" + key;
  }
}
