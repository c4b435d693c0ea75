package io.cloudkon.client.run;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.Task;
import java.util.ArrayList;
import java.util.List;

/** Finds the tasks of a bundle by reading their lines again. Thread safe. */
public final class TaskLookup {
  private final Workload workload;

  public TaskLookup(Workload workload) {
    this.workload = workload;
  }

  /**
   * The bundle's tasks, in order, as the workload states them.
   *
   * @throws CloudKonException if the workload ends before the bundle does
   */
  public List<Task> tasks(SentBundle bundle) {
    List<Task> tasks = new ArrayList<>(bundle.tasks());
    try (TaskReader reader =
        workload.readFrom(bundle.offset(), bundle.firstOrdinal(), bundle.line())) {
      while (tasks.size() < bundle.tasks()) {
        tasks.add(next(reader, bundle));
      }
    }
    return tasks;
  }

  private static Task next(TaskReader reader, SentBundle bundle) {
    Task task = reader.next();
    if (task == null) {
      throw new LocalFileException(
          "the workload ends before task %,d, which was already sent; expected the workload of the run"
              .formatted(bundle.firstOrdinal() + bundle.tasks()));
    }
    return task;
  }

  /**
   * A reader of the tasks that follow a bundle.
   *
   * @throws CloudKonException if the workload ends before the bundle does
   */
  public TaskReader behind(SentBundle bundle) {
    TaskReader reader = workload.readFrom(bundle.offset(), bundle.firstOrdinal(), bundle.line());
    try {
      for (int i = 0; i < bundle.tasks(); i++) {
        Task unused = next(reader, bundle);
      }
      return reader;
    } catch (RuntimeException | Error e) {
      reader.close();
      throw e;
    }
  }
}
