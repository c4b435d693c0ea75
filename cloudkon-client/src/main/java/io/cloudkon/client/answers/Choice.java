package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.TaskStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Selects and orders answers.
 *
 * @param statuses of tasks that are wanted
 * @param order by the values of this column, the least first; equal ones as in the workload
 * @param columns to be written, in their order; empty for what a format usually has
 */
public record Choice(Set<TaskStatus> statuses, Column order, Optional<List<Column>> columns) {
  public Choice {
    statuses = Set.copyOf(statuses);
    columns = columns.map(List::copyOf);
  }

  /**
   * Reads a person's options.
   *
   * @param failed whether only tasks are wanted that did not succeed
   * @param status names of statuses with commas between them
   * @param sort the name of a column
   * @param columns names of columns with commas between them
   * @throws UsageException if one is no such name
   */
  public static Choice of(
      boolean failed, Optional<String> status, String sort, Optional<String> columns) {
    if (failed && status.isPresent()) {
      throw new UsageException(
          "--failed and --status %s: expected one of them".formatted(status.get()));
    }
    Set<TaskStatus> wanted = EnumSet.allOf(TaskStatus.class);
    if (failed) {
      wanted.remove(TaskStatus.SUCCEEDED);
    }
    status.ifPresent(names -> {
      wanted.clear();
      for (String name : names.split(",", -1)) {
        wanted.add(status(name.strip()));
      }
    });
    return new Choice(
        wanted, Column.of("--sort", sort), columns.map(names -> Column.list("--columns", names)));
  }

  private static TaskStatus status(String name) {
    return OptionValue.of("--status", "status", name, TaskStatus.values(), TaskStatus::name);
  }

  /** The columns of a table. */
  List<Column> columnsOrUsual() {
    boolean failures = !statuses.contains(TaskStatus.SUCCEEDED);
    return columns.orElse(failures ? Column.USUAL_OF_FAILURES : Column.USUAL);
  }

  /** Whether commands are to be read from the workload. */
  boolean wantsCommands() {
    return columns.isEmpty() || columns.get().contains(Column.COMMAND) || order == Column.COMMAND;
  }

  /** Whether a line of {@code results.jsonl} is wanted. */
  boolean takes(JsonNode line) {
    String status = line.path(Column.STATUS.key()).asText();
    return statuses.stream().anyMatch(wanted -> wanted.name().equals(status));
  }
}
