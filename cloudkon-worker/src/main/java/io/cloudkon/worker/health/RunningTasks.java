package io.cloudkon.worker.health;

import io.cloudkon.worker.execute.Interruption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The tasks that run on a worker, by the time of their start. Thread safe. */
final class RunningTasks {
  private final Set<RunningTask> running = new LinkedHashSet<>();

  /** Adds a task that starts. */
  synchronized RunningTask begin(Interruption ofBundle) {
    RunningTask task = new RunningTask(this, ofBundle.ofTask());
    running.add(task);
    return task;
  }

  synchronized void remove(RunningTask task) {
    running.remove(task);
  }

  /** All running tasks, the latest start first. */
  synchronized List<RunningTask> newestFirst() {
    return new ArrayList<>(running).reversed();
  }
}
