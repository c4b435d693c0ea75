package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Detects launched workers that registered and ended without a task although they were needed, for
 * work or for the minimum, and delays the next launch, for longer each time. A worker that ended
 * with a task, or after a notice, was pre-empted, and another one is needed. The delay ends with a
 * task that a later worker has done, a worker that has stayed for long, or a new run. Not thread
 * safe.
 */
final class FutileLaunches {
  /** A worker of the minimum that has been idle for this time counts as useful. */
  private static final long STAYED_MILLIS = 300_000;

  private final LaunchBackOff backOff;
  private final Map<String, Watched> watched = new HashMap<>();
  private Set<String> runs = Set.of();
  private boolean begun;

  /**
   * A launched worker.
   *
   * @param useful whether it has done a task, taken part in a gang, or stayed for long
   * @param preempted whether it had tasks, or its machine was about to end, at the last reading
   * @param late whether it was first seen after the last futile end
   * @param throughout whether it was needed at each reading since it was first seen
   * @param since when it was first seen; monotonic milliseconds
   */
  private record Watched(
      boolean useful, boolean preempted, boolean late, boolean throughout, long since) {
    boolean inVain() {
      return !useful && !preempted && throughout;
    }

    Watched then(Watched fresh, boolean stayed) {
      return new Watched(
          useful || fresh.useful || stayed, fresh.preempted, late, throughout, since);
    }

    Watched with(boolean nowLate, boolean needed) {
      return new Watched(useful, preempted, nowLate, throughout && needed, since);
    }
  }

  /** The reasons why workers are needed at one reading. */
  record Need(boolean work, boolean minimum) {
    boolean any() {
      return work || minimum;
    }
  }

  FutileLaunches(LaunchBackOff backOff) {
    this.backOff = backOff;
  }

  /**
   * Reads the workers; returns how many ended without use since the last reading.
   *
   * @param ended the workers that registered and ended since the last reading
   */
  int look(
      List<WorkerEntry> live, List<WorkerEntry> ended, List<RunEntry> open, Need need, Moment now) {
    Set<String> here = watch(live, need, now);
    if (begun) {
      ended.forEach(worker -> watched.putIfAbsent(worker.id(), seen(worker, need, now)));
    }
    begun = true;
    if (watched.values().stream().anyMatch(one -> one.useful() && one.late()) || newRun(open)) {
      backOff.reset();
    }
    int vain = gone(here);
    if (vain > 0) {
      backOff.failed(now);
      runs = ids(open);
      watched.replaceAll((id, one) -> one.with(false, true));
    }
    return vain;
  }

  private Set<String> watch(List<WorkerEntry> live, Need need, Moment now) {
    Set<String> here = new HashSet<>();
    for (WorkerEntry worker : live) {
      if (worker.origin().launched()) {
        here.add(worker.id());
        watched.merge(
            worker.id(),
            seen(worker, need, now),
            (old, fresh) ->
                old.then(fresh, !need.work() && now.mono() - old.since() >= STAYED_MILLIS));
      }
    }
    watched.replaceAll((id, one) -> one.with(one.late(), need.any()));
    return here;
  }

  private Watched seen(WorkerEntry worker, Need need, Moment now) {
    return new Watched(
        worker.tasksDone() > 0 || GangWorkers.inGang(worker),
        worker.busy() > 0 || !worker.notice().isEmpty(),
        backOff.failures() > 0,
        need.any(),
        now.mono());
  }

  private boolean newRun(List<RunEntry> open) {
    return backOff.failures() > 0 && !runs.containsAll(ids(open));
  }

  private static Set<String> ids(List<RunEntry> open) {
    Set<String> ids = new HashSet<>();
    open.forEach(run -> ids.add(run.run()));
    return ids;
  }

  private int gone(Set<String> here) {
    int vain = 0;
    Iterator<Map.Entry<String, Watched>> all = watched.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<String, Watched> one = all.next();
      if (!here.contains(one.getKey())) {
        vain += one.getValue().inVain() ? 1 : 0;
        all.remove();
      }
    }
    return vain;
  }
}
