package io.cloudkon.client.plan;

/**
 * The size of a workload. Immutable.
 *
 * @param name the name of the workload, as the user gave it
 * @param tasks the number of tasks, without HPC jobs
 * @param jobs the number of HPC jobs, which are left out
 * @param workSeconds the total duration of the tasks
 * @param longestSeconds the duration of the longest task
 * @param largeTasks the number of tasks that go through the blob store
 * @param sample a sample of the tasks: all of them, unless there are too many
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
