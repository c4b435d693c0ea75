package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Set;

/**
 * Work that launched workers may take on, waiting or running. Immutable.
 *
 * @param tasks how many tasks
 * @param slotMillis how long one slot would need for those tasks and jobs whose duration is known
 * @param timed whether any duration is known
 * @param spare whether workers have free slots although the queue should hold messages: these are
 *     hidden, or gone already
 * @param jobs how many HPC jobs
 * @param widths ranks of these jobs, as far as they are known: the widest of each run, and each one
 *     that waits for slots
 * @param taskKinds what the tasks of each run do; an empty set stands for unknown
 * @param jobKinds what the jobs of each run do; likewise
 * @param messages messages in both queues
 * @param occupied ids of live workers on which no task starts, as gangs have long had all slots
 * @param blocked why other work cannot be taken on by any worker; one clause each
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

  /** Whether there is anything to do. */
  boolean any() {
    return tasks > 0 || jobs > 0;
  }

  /** More slots than this have nothing to do. */
  double mostSlots() {
    int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(1);
    return tasks + (double) jobs * widest;
  }
}
