package io.cloudkon.client.run;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Task;
import java.util.ArrayList;
import java.util.List;

/** Finds the tasks of a bundle again, by reading their lines once more. Thread safe. */
public final class TaskLookup {
  private final Workload workload;

  public TaskLookup(Workload workload) {
    this.workload = workload;
  }

  /** The bundle's tasks, in order, as the workload states them. */
  public List<Task> tasks(SentBundle bundle) {
    List<Task> tasks = new ArrayList<>(bundle.tasks());
    try (TaskReader reader =
        workload.readFrom(bundle.offset(), bundle.firstOrdinal(), bundle.line())) {
      while (tasks.size() < bundle.tasks()) {
        Task task = reader.next();
        if (task == null) {
          break;
        }
        tasks.add(task);
      }
    }
    return tasks;
  }

  /** A reader of what follows the bundle. */
  public TaskReader behind(SentBundle bundle) {
    TaskReader reader = workload.readFrom(bundle.offset(), bundle.firstOrdinal(), bundle.line());
    try {
      for (int i = 0; i < bundle.tasks(); i++) {
        var unused = reader.next();
      }
      return reader;
    } catch (RuntimeException | Error e) {
      reader.close();
      throw e;
    }
  }
}
