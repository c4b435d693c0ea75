package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.time.Moment;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a message that are claimed, or about to be, and not finished, by position. Pure;
 * used by one thread at a time.
 */
final class BegunTasks {
  private final NavigableMap<Integer, OneTask> tasks = new TreeMap<>();

  void add(int position, OneTask task) {
    tasks.put(position, task);
  }

  void remove(OneTask task) {
    task.here().stream().forEach(tasks::remove);
  }

  void clear() {
    tasks.clear();
  }

  @Nullable OneTask at(int position) {
    return tasks.get(position);
  }

  /** The tasks at this moment, in order; some of them may be finished meanwhile. */
  List<OneTask> all() {
    return List.copyOf(tasks.values());
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Whether the claim of one of the tasks was granted, or may have been. */
  boolean isWork(Moment now) {
    return tasks.values().stream().anyMatch(task -> task.machine().isWork(now));
  }

  /** The number of tasks that are not in a slot. */
  int waiting() {
    return (int) tasks.values().stream().filter(OneTask::waits).count();
  }

  /** The number of tasks that wait for a slot and may start. */
  int pending() {
    return tasks.values().stream().mapToInt(task -> task.machine().pendingCount()).sum();
  }

  /** Whether workers died so often during one of the tasks that it runs without others like it. */
  boolean oneByOne() {
    return tasks.values().stream().anyMatch(task -> task.machine().oneByOne());
  }

  /** Whether that is so for another task than this one. */
  boolean anotherOneByOne(OneTask task) {
    return tasks.values().stream().anyMatch(t -> !t.equals(task) && t.machine().oneByOne());
  }

  /**
   * Takes tasks for a slot; they count as running from then on.
   *
   * @param max the maximum number of tasks
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   * @param out receives the effects, which only record starts
   */
  Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    BitSet taken = new BitSet();
    for (OneTask task : tasks.values()) {
      if (taken.cardinality() == max) {
        break;
      }
      if (task.machine().pendingCount() > 0
          && !task.machine().take(1, startsAhead, now, out).isEmpty()) {
        taken.or(task.here().toBits());
      }
    }
    return Positions.of(taken);
  }
}
