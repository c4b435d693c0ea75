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
 * Notices launched workers that came up and ended without a task although work was there, and holds
 * the next launch back, for longer each time. A worker that ended with a task in hand was
 * pre-empted: its work comes back and needs another. A task done by a worker that came later, or a
 * new run, ends the wait. Not thread safe.
 */
final class FutileLaunches {
  private final LaunchBackOff backOff;
  private final Map<String, Watched> watched = new HashMap<>();
  private Set<String> runs = Set.of();

  /**
   * A launched worker.
   *
   * @param useful it has done a task, or taken part in a gang
   * @param inHand it had tasks in hand when it was last seen
   * @param late it was first seen after the last futile end
   * @param throughout there was work at each look since it was first seen
   */
  private record Watched(boolean useful, boolean inHand, boolean late, boolean throughout) {
    boolean inVain() {
      return !useful && !inHand && throughout;
    }
  }

  FutileLaunches(LaunchBackOff backOff) {
    this.backOff = backOff;
  }

  /** Looks at the workers; returns how many ended in vain since the last look. */
  int look(List<WorkerEntry> live, List<RunEntry> open, boolean work, Moment now) {
    Set<String> here = watch(live, work);
    if (watched.values().stream().anyMatch(one -> one.useful() && one.late()) || newRun(open)) {
      backOff.reset();
    }
    int vain = gone(here);
    if (vain > 0) {
      backOff.failed(now);
      runs = ids(open);
      watched.replaceAll(
          (id, one) -> new Watched(one.useful(), one.inHand(), false, one.throughout()));
    }
    return vain;
  }

  private Set<String> watch(List<WorkerEntry> live, boolean work) {
    Set<String> here = new HashSet<>();
    for (WorkerEntry worker : live) {
      if (worker.origin().launched()) {
        here.add(worker.id());
        watched.merge(
            worker.id(),
            seen(worker, backOff.failures() > 0),
            (old, fresh) ->
                new Watched(
                    old.useful() || fresh.useful(), fresh.inHand(), old.late(), old.throughout()));
      }
    }
    if (!work) {
      watched.replaceAll((id, one) -> new Watched(one.useful(), one.inHand(), one.late(), false));
    }
    return here;
  }

  private static Watched seen(WorkerEntry worker, boolean late) {
    boolean gang = worker.role().equals("manager") || worker.role().equals("sub-worker");
    return new Watched(worker.tasksDone() > 0 || gang, worker.busy() > 0, late, true);
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
