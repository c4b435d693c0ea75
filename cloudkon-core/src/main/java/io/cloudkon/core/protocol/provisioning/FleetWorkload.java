package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Set;

/**
 * The waiting or running work that launched workers may take. Immutable.
 *
 * @param tasks the number of tasks
 * @param slotMillis the time that one slot would need for all ranks of the jobs, and for the tasks,
 *     whose duration is known
 * @param timed whether any duration is known
 * @param spare whether workers have free slots although the queue should hold messages, which are
 *     then hidden or already gone
 * @param jobs the number of HPC jobs
 * @param widths the known numbers of ranks of these jobs: the widest of each run, and each one that
 *     waits for slots
 * @param taskKinds the kinds of the tasks of each run; an empty set means unknown
 * @param jobKinds the kinds of the jobs of each run; an empty set means unknown
 * @param messages the number of messages in both queues
 * @param occupied the ids of live workers on which no task starts, because gangs have had all slots
 *     for long
 * @param blocked why no worker can take other work, one clause each
 */
record FleetWorkload(
    long tasks,
    double slotMillis,
    boolean timed,
    boolean spare,
    long jobs,
    List<Integer> widths,
    Set<Set<Work.Kind>> taskKinds,
    Set<Set<Work.Kind>> jobKinds,
    long messages,
    Set<String> occupied,
    List<String> blocked) {

  FleetWorkload {
    widths = List.copyOf(widths);
    taskKinds = Set.copyOf(taskKinds);
    jobKinds = Set.copyOf(jobKinds);
    occupied = Set.copyOf(occupied);
    blocked = List.copyOf(blocked);
  }

  /** Whether there is any work. */
  boolean any() {
    return tasks > 0 || jobs > 0;
  }

  /** The maximum number of slots that the work can use. */
  double mostSlots() {
    int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(1);
    return tasks + (double) jobs * widest;
  }
}
