package io.cloudkon.client.send;

import io.cloudkon.client.run.SendingAccount;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which sorts of tasks one bundle holds, and how long they are likely to take: as was known when
 * the first of a sort came, so that the account is not asked for each task. Used by one thread.
 */
final class Sorts {
  /** So many sorts of tasks of one bundle are learned of. */
  private static final int LEARNED = 4;

  private final SendingAccount account;
  private final Map<String, Double> micros = new HashMap<>();
  private final List<String> keys = new ArrayList<>(1);
  private long sleepMicros;

  Sorts(SendingAccount account) {
    this.account = account;
  }

  /**
   * How long the task is likely to keep a slot, or an HPC job its slots together, in microseconds;
   * NaN if unknown.
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

  /** The bundle holds one more. */
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

  /** What its tasks are learned under; sleeps are not among them. */
  List<String> keys() {
    return List.copyOf(keys);
  }

  /** How long its sleeps take together, those of all ranks. */
  long sleepMicros() {
    return sleepMicros;
  }
}
