package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.TaskStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects and orders answers.
 *
 * @param statuses the statuses of the wanted tasks
 * @param order the column to sort by; equal values keep the workload's order, and tasks without a
 *     value come last
 * @param descending whether the largest value is first
 * @param columns the columns to write, in this order; empty for the format's default
 */
public record Choice(
    Set<TaskStatus> statuses, Column order, boolean descending, Optional<List<Column>> columns) {
  /** All answers in the order of the workload. */
  static final Choice ALL =
      new Choice(EnumSet.allOf(TaskStatus.class), Column.INDEX, false, Optional.empty());

  public Choice {
    statuses = Set.copyOf(statuses);
    columns = columns.map(List::copyOf);
  }

  /**
   * Parses command-line options.
   *
   * @param failed whether to select only tasks that did not succeed
   * @param status comma-separated names of statuses
   * @param sort the name of a column, with a minus before it for descending order
   * @param columns comma-separated names of columns
   * @throws UsageException if a name is unknown, or both {@code failed} and {@code status} are
   *     given
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
    boolean descending = sort.startsWith("-");
    return new Choice(
        wanted,
        Column.of("--sort", descending ? "-" : "", sort),
        descending,
        columns.map(names -> Column.list("--columns", names)));
  }

  private static TaskStatus status(String name) {
    return OptionValue.of("--status", "status", name, TaskStatus.values(), TaskStatus::name);
  }

  /** The same choice with a column for each value in place of {@code values}. */
  Choice spread(int values) {
    return new Choice(statuses, order, descending, columns.map(all -> Column.spread(all, values)));
  }

  /** Whether the answers keep the order of the workload. */
  boolean inOrder() {
    return order.equals(Column.INDEX) && !descending;
  }

  /** Whether it asks for values of the tasks. */
  boolean wantsValues() {
    return columns.stream().flatMap(List::stream).anyMatch(column -> column.isOfValue())
        || order.isOfValue();
  }

  /** The largest number of a single value that it asks for; 0 if it asks for none. */
  int highestValue() {
    return Stream.concat(columns.stream().flatMap(List::stream), Stream.of(order))
        .mapToInt(Column::value)
        .max()
        .orElse(0);
  }

  /**
   * Refuses values that no task has.
   *
   * @param most the largest number of values of a task
   * @throws UsageException if it asks for one of them
   */
  void checkValues(int most) {
    columns.stream().flatMap(List::stream).forEach(column -> column.checkValue("--columns ", most));
    order.checkValue(descending ? "--sort -" : "--sort ", most);
  }

  /** The columns of a table. */
  List<Column> columnsOrUsual(AnswerFacts facts) {
    if (columns.isPresent()) {
      return columns.get();
    }
    boolean failures = !statuses.contains(TaskStatus.SUCCEEDED);
    return failures
        ? Column.USUAL_OF_FAILURES
        : facts.hasReturned() ? Column.USUAL_OF_HANDLERS : Column.USUAL;
  }

  /** Whether one of the columns shows an output of which only the beginning was kept. */
  static boolean showsCut(List<Column> shown, JsonNode line) {
    return shown.stream()
        .anyMatch(column -> column.isOutput() && line.path(column.key() + "Cut").asBoolean());
  }

  /**
   * Whether ranks of an HPC job have outputs that none of the columns shows: the job's own output
   * is that of one rank.
   */
  static boolean hidesRanks(List<Column> shown, JsonNode line) {
    return shown.stream().anyMatch(column -> column.isOutput() && hidesRanks(column, line));
  }

  private static boolean hidesRanks(Column column, JsonNode line) {
    if (!line.has(column.key())
        || (column.equals(Column.STDOUT) && line.has(Column.OUTPUT.key()))) {
      return false; // it shows nothing, or its ranks returned what they have as stdout
    }
    Column printed = column.equals(Column.OUTPUT) ? Column.STDOUT : column;
    long outputs = line.path("ranks").valueStream().filter(rank -> rank.has(printed.key())).count();
    return outputs > 1;
  }

  /** Whether results of every status are selected. */
  boolean isOfAll() {
    return statuses.size() == TaskStatus.values().length;
  }

  /** The message that there is no result with one of the statuses. */
  String none() {
    return (statuses.size() == 1 ? "no result has this status: " : "no result has one of these: ")
        + names(statuses);
  }

  private static String names(Set<TaskStatus> statuses) {
    return statuses.stream().sorted().map(TaskStatus::name).collect(Collectors.joining(", "));
  }

  /** Whether the tasks must be read from the workload. */
  boolean wantsTasks() {
    return columns.isEmpty()
        || columns.get().stream().anyMatch(Column::isOfTask)
        || order.isOfTask();
  }

  /** Whether the choice includes a line of {@code results.jsonl}. */
  boolean takes(JsonNode line) {
    String status = line.path(Column.STATUS.key()).asText();
    return statuses.stream().anyMatch(wanted -> wanted.name().equals(status));
  }
}
