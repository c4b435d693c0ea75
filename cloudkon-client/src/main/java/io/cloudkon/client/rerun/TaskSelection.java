package io.cloudkon.client.rerun;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the tasks of a run that are to run again.
 *
 * @param statuses those that ended so; one that never ended counts as lost
 * @param ids those of these ids, however they ended
 */
public record TaskSelection(Set<TaskStatus> statuses, Set<String> ids) {
  public TaskSelection {
    statuses = Set.copyOf(statuses);
    ids = Set.copyOf(ids);
  }

  /**
   * Reads a person's options; without any, all tasks are wanted that did not succeed.
   *
   * @param failed whether those that failed or timed out are wanted
   * @param lost whether those that were lost are wanted
   * @param ids of tasks that are wanted, however they ended
   */
  public static TaskSelection of(boolean failed, boolean lost, List<String> ids) {
    Set<TaskStatus> statuses = EnumSet.noneOf(TaskStatus.class);
    if (failed) {
      statuses.addAll(EnumSet.of(TaskStatus.FAILED, TaskStatus.TIMED_OUT));
    }
    if (lost) {
      statuses.add(TaskStatus.LOST);
    }
    if (statuses.isEmpty() && ids.isEmpty()) {
      statuses.addAll(EnumSet.complementOf(EnumSet.of(TaskStatus.SUCCEEDED)));
    }
    return new TaskSelection(statuses, new LinkedHashSet<>(ids));
  }

  /**
   * Chooses among a run's tasks.
   *
   * @param workload what the run was submitted with
   * @return the places of those that are wanted
   * @throws UsageException if there are none, or an id is of no task
   */
  public BitSet among(RunHistory history, Workload workload) {
    BitSet chosen = new BitSet();
    @Nullable TaskStatus[] latest = history.latest();
    for (int index = 0; index < latest.length; index++) {
      TaskStatus status = latest[index];
      if (statuses.contains(status == null ? TaskStatus.LOST : status)) {
        chosen.set(index);
      }
    }
    if (!ids.isEmpty()) {
      add(chosen, history, workload);
    }
    if (chosen.isEmpty()) {
      throw new UsageException(
          Arrays.stream(latest).allMatch(status -> status == TaskStatus.SUCCEEDED)
              ? "nothing to rerun: all tasks of run '%s' have succeeded by now"
                  .formatted(history.header().run())
              : "nothing to rerun: no task of run '%s' last ended as %s"
                  .formatted(
                      history.header().run(),
                      statuses.stream()
                          .sorted()
                          .map(Enum::name)
                          .collect(Collectors.joining(" or "))));
    }
    return chosen;
  }

  private void add(BitSet chosen, RunHistory history, Workload workload) {
    Set<String> missing = new LinkedHashSet<>(ids);
    try (TaskReader reader = workload.read()) {
      for (Task task = reader.next(); task != null; task = reader.next()) {
        if (missing.remove(task.id())) {
          chosen.set(task.ordinal());
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new UsageException(
          "--task %s: run '%s' has no such task; expected an id of its workload, or the number of a line"
              .formatted(String.join(", ", missing), history.header().run()));
    }
  }
}
