package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/** Estimates how long a task takes on one slot. Pure. */
final class MeanTaskTimes {
  /** The first reports of a worker cover too little of its work. */
  private static final long WARM_MILLIS = 15_000;

  private MeanTaskTimes() {}

  /**
   * The mean from the reports of live workers: their slots that run tasks divided by their
   * throughput, in milliseconds; 0 if unknown.
   */
  static double reported(List<WorkerEntry> working, long at) {
    List<WorkerEntry> warm =
        working.stream()
            .filter(
                worker -> worker.tasksPerSecond() > 0 && at - worker.sinceMillis() > WARM_MILLIS)
            .toList();
    double running = warm.stream().mapToInt(WorkerEntry::running).sum();
    double rate = warm.stream().mapToDouble(WorkerEntry::tasksPerSecond).sum();
    return rate == 0 ? 0 : 1_000 * running / rate;
  }

  /** The mean over runs, weighted by their remaining work, in milliseconds; 0 if unknown. */
  static double mean(List<RunEntry> runs) {
    double weight = 0;
    double sum = 0;
    for (RunEntry run : runs) {
      double micros = run.remaining().times().taskMicros();
      if (micros > 0) {
        double tasks = Math.max(1, run.unfinished() - run.remaining().jobs());
        weight += tasks;
        sum += tasks * micros / 1_000;
      }
    }
    return weight == 0 ? 0 : sum / weight;
  }

  /**
   * The mean number of tasks per bundle, over the runs for which it is known; 0 if there are none.
   * HPC jobs are no tasks, and their bundles wait in another queue.
   */
  static double perBundle(List<RunEntry> runs) {
    long bundles = 0;
    long tasks = 0;
    for (RunEntry run : runs) {
      long out = run.sent() - run.finished() - run.sentJobs();
      if (run.remaining().bundles() > 0 && out > 0) {
        bundles += run.remaining().bundles();
        tasks += out;
      }
    }
    return bundles == 0 ? 0 : Math.max(1, (double) tasks / bundles);
  }

  /** Whether workers that take tasks have free slots, so that no message waits for a slot. */
  static boolean idle(List<WorkerEntry> working, long at) {
    List<WorkerEntry> warm =
        working.stream()
            .filter(worker -> worker.takes().tasks() && at - worker.sinceMillis() > WARM_MILLIS)
            .toList();
    int slots = warm.stream().mapToInt(WorkerEntry::slots).sum();
    int busy = warm.stream().mapToInt(WorkerEntry::busy).sum();
    return slots > 0 && 2 * busy < slots;
  }
}
