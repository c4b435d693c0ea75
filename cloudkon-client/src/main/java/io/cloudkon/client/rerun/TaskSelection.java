package io.cloudkon.client.rerun;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the tasks of a run that are to run again.
 *
 * @param statuses selects the tasks that ended with one of these; a task that never ended counts as
 *     lost
 * @param ids selects the tasks with these ids, however they ended
 */
public record TaskSelection(Set<TaskStatus> statuses, Set<String> ids) {
  public TaskSelection {
    statuses = Set.copyOf(statuses);
    ids = Set.copyOf(ids);
  }

  /**
   * The selected tasks of a run.
   *
   * @param tasks their positions in the workload
   * @param lost the number of those without a known end
   * @param interrupted whether only those of them that ran when their client was interrupted may
   *     have taken effect
   */
  public record Selected(BitSet tasks, int lost, boolean interrupted) {}

  /**
   * Interprets a user's options; without any, selects all tasks that did not succeed.
   *
   * @param failed whether to select the tasks that failed or timed out
   * @param lost whether to select the tasks that were lost
   * @param ids the ids of tasks to select, however they ended
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
   * Selects among a run's tasks.
   *
   * @param workload the workload with which the run was submitted
   * @throws UsageException if no task is selected, or an id belongs to no task
   */
  public Selected among(RunHistory history, Workload workload) {
    BitSet chosen = new BitSet();
    LatestStatuses latest = history.latest();
    for (int index = 0; index < latest.tasks(); index++) {
      TaskStatus status = latest.of(index);
      if (statuses.contains(status == null ? TaskStatus.LOST : status)) {
        chosen.set(index);
      }
    }
    if (!ids.isEmpty()) {
      add(chosen, history, workload);
    }
    if (chosen.isEmpty()) {
      throw new UsageException(
          latest.allAre(TaskStatus.SUCCEEDED)
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
    return selected(chosen, history, workload, latest);
  }

  private static Selected selected(
      BitSet chosen, RunHistory history, Workload workload, LatestStatuses latest) {
    BitSet unknown = new BitSet();
    chosen.stream().filter(task -> latest.of(task) == null).forEach(unknown::set);
    if (!unknown.isEmpty()) {
      unknown.and(history.sent()); // reads the journals
    }
    int said = (int) chosen.stream().filter(task -> latest.of(task) == TaskStatus.LOST).count();
    int open = unknown.cardinality();
    boolean interrupted =
        said == 0 && open > 0 && InterruptedTasks.were(history, workload, unknown);
    return new Selected(chosen, said + open, interrupted);
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
