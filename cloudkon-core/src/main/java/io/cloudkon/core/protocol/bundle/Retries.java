package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.time.Moment;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tries of a bundle's tasks within one claim: a task that failed and may be tried again waits
 * here until its back-off is over. Tries in the bundle that handed it on are included; after a
 * takeover they are counted anew.
 */
final class Retries {
  private final RetrySettings settings;
  private final int[] allowed;

  /** The number of failed tries in previous bundles. */
  private final int[] before;

  private final int[] tried;

  /**
   * The waiting tasks by the time at which they are due, in milliseconds of the monotonic clock.
   */
  private final TreeMap<Long, BitSet> waiting = new TreeMap<>();

  private Retries(RetrySettings settings, int[] allowed, int[] before) {
    this.settings = settings;
    this.allowed = allowed;
    this.before = before;
    this.tried = new int[allowed.length];
  }

  /** No retries: every task is tried once. */
  static Retries none() {
    return new Retries(RetrySettings.DEFAULT, new int[0], new int[0]);
  }

  /**
   * The retries that the tasks specify; none in at-most-once, where no task starts twice, whatever
   * the bundle contains.
   */
  static Retries of(Consistency consistency, List<Task> tasks, RetrySettings settings) {
    boolean some =
        consistency != Consistency.AT_MOST_ONCE
            && tasks.stream().anyMatch(task -> task.retries() > 0);
    return some
        ? new Retries(
            settings,
            tasks.stream().mapToInt(task -> task.retries() - task.tried()).toArray(),
            tasks.stream().mapToInt(Task::tried).toArray())
        : none();
  }

  /**
   * Returns those of the tasks that have just failed that are to be tried again; they wait from now
   * on.
   */
  Positions again(Positions failed, Moment now) {
    if (allowed.length == 0) {
      return Positions.none();
    }
    BitSet again = new BitSet();
    failed.stream()
        .filter(position -> tried[position]++ < allowed[position])
        .forEach(position -> {
          long due = now.mono() + settings.after(before[position] + tried[position]);
          waiting.computeIfAbsent(due, d -> new BitSet()).set(position);
          again.set(position);
        });
    return Positions.of(again);
  }

  /** Returns the tasks whose back-off is over; they no longer wait. */
  Positions due(Moment now) {
    if (waiting.isEmpty()) {
      return Positions.none();
    }
    BitSet due = new BitSet();
    Map<Long, BitSet> over = waiting.headMap(now.mono(), true);
    over.values().forEach(due::or);
    over.clear();
    return Positions.of(due);
  }

  /** Stops all retries; returns the tasks that waited. */
  Positions stop() {
    BitSet waited = new BitSet();
    waiting.values().forEach(waited::or);
    waiting.clear();
    return Positions.of(waited);
  }

  /** Whether no task waits. */
  boolean noneWaits() {
    return waiting.isEmpty();
  }

  /**
   * The tasks that failed before, which must not be handed on where their tries would be counted
   * anew.
   */
  Positions tried() {
    BitSet some = new BitSet();
    for (int position = 0; position < tried.length; position++) {
      some.set(position, tried[position] > 0);
    }
    return Positions.of(some);
  }

  /** The number of failed tries of a task, including those in previous bundles. */
  int tried(int position) {
    return tried.length == 0 ? 0 : before[position] + tried[position];
  }

  /** Whether one of these tasks failed before. */
  boolean someTried(Positions tasks) {
    return tried.length > 0 && tasks.stream().anyMatch(position -> tried[position] > 0);
  }
}
