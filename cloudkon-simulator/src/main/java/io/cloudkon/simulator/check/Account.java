package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.SimRun;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The facts about one run's tasks, by ordinal. */
final class Account {
  /** For so long, and more, a client waits for a real result after a LOST, in microseconds. */
  private static final long VISIBILITY = 10_000_000;

  final SimRun run;
  final byte[] starts;
  final BitSet recordedStarted = new BitSet();

  final BitSet recorded = new BitSet();

  /** Of bundles that lost so many workers that nobody tries again. */
  final BitSet givenUp = new BitSet();

  final BitSet replied = new BitSet();
  final BitSet repliedForReal = new BitSet();

  /** When a LOST was accepted first, and the first real result that came long after it. */
  private final Map<Integer, Long> lostAt = new HashMap<>();

  private final Map<Integer, Long> longAfter = new HashMap<>();

  final BitSet stored = new BitSet();
  final BitSet saidLost = new BitSet();

  /** Recorded by whoever stored its result, and by no successor that said LOST. */
  final BitSet storedThenRecorded = new BitSet();

  /** Results went with their queue. */
  final BitSet gone = new BitSet();

  final BitSet ended = new BitSet();
  final Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);

  /** Until then its client has waited for results, at least, and none came. */
  private long nothingUntil;

  /** Cancelled: tasks may end so from here on. */
  boolean cancelled;

  /** Its client has all it wants, or it was cancelled: from here on workers may leave tasks. */
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
   * Whether its real result came when a LOST had been waited upon, and the last receive was over
   * whose answer the client has: that was on its way.
   */
  boolean tooLate(int ordinal) {
    Long came = longAfter.get(ordinal);
    return came != null && came >= nothingUntil;
  }

  /** Once more; gives how often so far. */
  int started(int ordinal) {
    if (starts[ordinal] < Byte.MAX_VALUE) {
      starts[ordinal]++;
    }
    return starts[ordinal];
  }
}
