package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The facts about one run's tasks, by ordinal. */
final class Account {
  /** The minimum time for which a client waits for a real result after a LOST, in microseconds. */
  private static final long VISIBILITY = 10_000_000;

  final SimRun run;
  final byte[] starts;
  final BitSet recordedStarted = new BitSet();

  final BitSet recorded = new BitSet();

  /** Tasks of bundles that lost so many workers that nobody tries again. */
  final BitSet givenUp = new BitSet();

  /** Tasks whose dead letter was sent, or could not be sent for a reason that is no fault. */
  final BitSet lettered = new BitSet();

  final BitSet replied = new BitSet();
  final BitSet repliedForReal = new BitSet();

  /**
   * The time at which a LOST was first accepted, and that of the first real result if it came long
   * after it.
   */
  private final Map<Integer, Long> lostAt = new HashMap<>();

  private final Map<Integer, Long> longAfter = new HashMap<>();

  final BitSet stored = new BitSet();
  final BitSet saidLost = new BitSet();

  /** Tasks recorded by the worker that stored the result, not by a successor that said LOST. */
  final BitSet storedThenRecorded = new BitSet();

  /** Tasks whose results were lost with their queue. */
  final BitSet gone = new BitSet();

  final BitSet ended = new BitSet();
  final Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);

  /** The time until which, at least, the client waited for results without receiving any. */
  private long nothingUntil;

  final LastLooks looks = new LastLooks();

  /** Whether the run was cancelled, so that tasks may end as CANCELLED. */
  boolean cancelled;

  /**
   * Whether the client has all results or the run was cancelled, so that workers may abandon tasks.
   */
  boolean closed;

  Account(SimRun run) {
    this.run = run;
    this.starts = new byte[run.tasks().size()];
  }

  /** Records that a bundle's tasks may fail, because no worker tries them again. */
  void givenUp(Request of) {
    of.bundle().tasks().forEach(task -> givenUp.set(task.ordinal()));
  }

  /** Records that the dead letter of these tasks was sent, or may be missing. */
  void lettered(Request letter) {
    letter.bundle().tasks().forEach(task -> lettered.set(task.ordinal()));
  }

  /** Records that the run was cancelled. */
  void cancelled() {
    cancelled = true;
    closed = true;
  }

  /** Records and checks that the client ends the run. */
  void ending() {
    Violation.unless(
        ended.cardinality() == run.tasks().size(),
        "run %s is ended with %d of %d results",
        run,
        ended.cardinality(),
        run.tasks().size());
    closed = true;
  }

  void recorded(int ordinal) {
    if (!recorded.get(ordinal) && stored.get(ordinal) && !saidLost.get(ordinal)) {
      storedThenRecorded.set(ordinal);
    }
    recorded.set(ordinal);
  }

  /** Records results that the response queue accepted. */
  void replied(ResultMessage results, long micros) {
    for (int i = 0; i < results.ordinals().length; i++) {
      replied.set(results.ordinals()[i]);
      if (results.statuses()[i] == TaskStatus.LOST) {
        saidLost(results.ordinals()[i], micros);
      } else {
        repliedForReal(results.ordinals()[i], micros);
      }
    }
  }

  private void saidLost(int ordinal, long micros) {
    lostAt.putIfAbsent(ordinal, micros);
    saidLost.set(ordinal);
  }

  private void repliedForReal(int ordinal, long micros) {
    Long lost = lostAt.get(ordinal);
    if (!repliedForReal.get(ordinal) && lost != null && micros - lost > VISIBILITY) {
      longAfter.put(ordinal, micros);
    }
    repliedForReal.set(ordinal);
  }

  /** Records results that were stored because no queue could take them. */
  void stored(ResultMessage results, long micros) {
    for (int i = 0; i < results.ordinals().length; i++) {
      replied.set(results.ordinals()[i]);
      if (results.statuses()[i] == TaskStatus.LOST) {
        saidLost.set(results.ordinals()[i]);
      } else {
        stored.set(results.ordinals()[i]);
        looks.stored(results.ordinals()[i], micros);
      }
    }
  }

  /** Records results that were lost with their queue. */
  void gone(ResultMessage results) {
    for (int ordinal : results.ordinals()) {
      gone.set(ordinal);
    }
  }

  void nothingCame(long micros) {
    nothingUntil = Math.max(nothingUntil, micros);
  }

  /**
   * Whether the real result came too late: after the wait that follows a LOST, and after the last
   * receive that the client knows the answer of. An earlier result was on its way.
   */
  boolean tooLate(int ordinal) {
    Long came = longAfter.get(ordinal);
    return came != null && came >= nothingUntil;
  }

  /** Counts a start; returns the number so far. */
  int started(int ordinal) {
    if (starts[ordinal] < Byte.MAX_VALUE) {
      starts[ordinal]++;
    }
    return starts[ordinal];
  }

  /** Records and checks a task's final result. */
  void finalResult(int ordinal, TaskStatus status) {
    Violation.unless(!ended.get(ordinal), "task %d has two final results", ordinal);
    ended.set(ordinal);
    counts.merge(status, 1, Integer::sum);
    new Ending(this, ordinal, status).check();
  }

  /** Checks at the end that each task has its result and that the counts add up. */
  void atTheEnd() {
    int tasks = run.tasks().size();
    int sum = counts.values().stream().mapToInt(count -> count).sum();
    Violation.unless(
        ended.cardinality() == tasks && sum == tasks,
        "run %s: %d of %d tasks have a result, counted as %s",
        run,
        ended.cardinality(),
        tasks,
        counts);
  }
}
