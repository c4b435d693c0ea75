package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
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

  void recorded(int ordinal) {
    if (!recorded.get(ordinal) && stored.get(ordinal) && !saidLost.get(ordinal)) {
      storedThenRecorded.set(ordinal);
    }
    recorded.set(ordinal);
  }

  void saidLost(int ordinal, long micros) {
    lostAt.putIfAbsent(ordinal, micros);
    saidLost.set(ordinal);
  }

  void repliedForReal(int ordinal, long micros) {
    Long lost = lostAt.get(ordinal);
    if (!repliedForReal.get(ordinal) && lost != null && micros - lost > VISIBILITY) {
      longAfter.put(ordinal, micros);
    }
    repliedForReal.set(ordinal);
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
}
