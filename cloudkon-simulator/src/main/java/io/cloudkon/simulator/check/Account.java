package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.SimRun;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/** What is known of one run's tasks, by ordinal. */
final class Account {
  final SimRun run;
  final byte[] starts;
  final BitSet recordedStarted = new BitSet();

  final BitSet recorded = new BitSet();

  /** Of bundles that lost so many workers that nobody tries again. */
  final BitSet givenUp = new BitSet();

  final BitSet replied = new BitSet();
  final BitSet repliedForReal = new BitSet();
  final BitSet stored = new BitSet();
  final BitSet saidLost = new BitSet();

  /** Results went with their queue. */
  final BitSet gone = new BitSet();

  final BitSet ended = new BitSet();
  final Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);

  /** Cancelled: tasks may end so from here on. */
  boolean cancelled;

  /** Its client has all it wants, or it was cancelled: from here on workers may leave tasks. */
  boolean closed;

  Account(SimRun run) {
    this.run = run;
    this.starts = new byte[run.tasks().size()];
  }

  /** Once more; gives how often so far. */
  int started(int ordinal) {
    if (starts[ordinal] < Byte.MAX_VALUE) {
      starts[ordinal]++;
    }
    return starts[ordinal];
  }
}
