package io.cloudkon.client.send;

import io.cloudkon.client.run.SendingAccount;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sorts of tasks in one bundle and their expected durations. A duration is looked up once, at
 * the first task of a sort, so that the account is not asked for each task. Used by one thread.
 */
final class Sorts {
  /** The number of sorts in one bundle whose durations are learned. */
  private static final int LEARNED = 4;

  private final SendingAccount account;
  private final Map<String, Double> micros = new HashMap<>();
  private final List<String> keys = new ArrayList<>(1);
  private long sleepMicros;

  Sorts(SendingAccount account) {
    this.account = account;
  }

  /**
   * The expected time that the task occupies a slot, in microseconds, summed over the slots of an
   * HPC job; NaN if unknown.
   */
  double micros(Work work) {
    int slots = work instanceof Work.Hpc job ? job.ranks() : 1;
    return each(work) instanceof Work.Sleep sleep
        ? slots * sleep.millis() * 1000.0
        : slots * micros.computeIfAbsent(LearnedDurations.key(work), key -> account.micros(work));
  }

  private static Work each(Work work) {
    return work instanceof Work.Hpc job ? job.each() : work;
  }

  /** Adds a task to the bundle. */
  void add(Work work) {
    if (each(work) instanceof Work.Sleep) {
      sleepMicros += (long) micros(work);
      return;
    }
    String key = LearnedDurations.key(work);
    if (keys.size() < LEARNED && !keys.contains(key)) {
      keys.add(key);
    }
  }

  /** The keys under which the tasks' durations are learned; none for sleeps. */
  List<String> keys() {
    return List.copyOf(keys);
  }

  /** The total duration of its sleeps, over all ranks, in microseconds. */
  long sleepMicros() {
    return sleepMicros;
  }
}
