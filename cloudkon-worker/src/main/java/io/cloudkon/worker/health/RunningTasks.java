package io.cloudkon.worker.health;

import io.cloudkon.worker.execute.Interruption;
import java.util.ArrayList;
import java.util.List;

/** The tasks that run on a worker, by the time of their start. Thread safe. */
final class RunningTasks {
  /** One for each busy slot at most. */
  private final List<RunningTask> running = new ArrayList<>();

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
