package io.cloudkon.client.plan;

/**
 * The size of a workload. Immutable.
 *
 * @param name of the workload, as the user gave it
 * @param tasks how many it has, HPC jobs apart
 * @param jobs how many HPC jobs are left out
 * @param workSeconds the tasks' own time in all
 * @param longestSeconds the longest task's
 * @param largeTasks how many go through the blob store
 * @param sample tasks of it: all, where there are not too many
 */
record WorkloadSize(
    String name,
    long tasks,
    long jobs,
    double workSeconds,
    double longestSeconds,
    long largeTasks,
    SampledTasks sample) {

  double meanSeconds() {
    return workSeconds / tasks;
  }
}
