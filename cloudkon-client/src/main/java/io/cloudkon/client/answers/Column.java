package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cloudkon.core.error.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A column of the answers: one fact about a task's result. Immutable.
 *
 * @param key its name on the command line and in the output
 * @param value which of the task's values it shows, from 1; 0 if it shows something else
 */
public record Column(String key, Type type, int value) {
  /** The kinds of content of a column. */
  private enum Type {
    /** Values that compare as numbers. */
    NUMBER,
    /** A word that is needed whole. */
    WORD,
    /** Text of which a table may show only a part. */
    TEXT
  }

  private static final Pattern VALUE = Pattern.compile("value([1-9]\\d{0,3})");

  static final Column TASK = of("task", Type.WORD);
  static final Column INDEX = of("index", Type.NUMBER);
  static final Column STATUS = of("status", Type.WORD);
  static final Column EXIT_CODE = of("exitCode", Type.NUMBER);
  static final Column STARTED_AT = of("startedAt", Type.WORD);
  static final Column SECONDS = of("seconds", Type.NUMBER);
  static final Column CPU_SECONDS = of("cpuSeconds", Type.NUMBER);
  static final Column MAX_RSS_BYTES = of("maxRssBytes", Type.NUMBER);
  static final Column WORKER = of("worker", Type.TEXT);
  static final Column ATTEMPT = of("attempt", Type.NUMBER);
  static final Column TRIES = of("tries", Type.NUMBER);
  static final Column COMMAND = of("command", Type.TEXT);

  /** Stands for the columns of all values. */
  static final Column VALUES = of("values", Type.TEXT);

  static final Column STDOUT = of("stdout", Type.TEXT);
  static final Column STDERR = of("stderr", Type.TEXT);
  static final Column OUTPUT = of("output", Type.TEXT);
  static final Column ERROR = of("error", Type.TEXT);

  private static final List<Column> KNOWN =
      List.of(
          TASK,
          INDEX,
          STATUS,
          EXIT_CODE,
          STARTED_AT,
          SECONDS,
          CPU_SECONDS,
          MAX_RSS_BYTES,
          WORKER,
          ATTEMPT,
          TRIES,
          COMMAND,
          VALUES,
          STDOUT,
          STDERR,
          OUTPUT,
          ERROR);

  /** The default columns. */
  static final List<Column> USUAL =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, STDOUT);

  /** The default columns if a task returned something, which is not in its standard output. */
  static final List<Column> USUAL_OF_HANDLERS =
      Stream.concat(USUAL.stream(), Stream.of(OUTPUT)).toList();

  /** The default columns if only failed tasks are selected. */
  static final List<Column> USUAL_OF_FAILURES =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, ERROR);

  private static Column of(String key, Type type) {
    return new Column(key, type, 0);
  }

  /** The column of one of the values of each task, from 1. */
  private static Column ofValue(int number) {
    return new Column("value" + number, Type.TEXT, number);
  }

  /** These columns, with one for each value in place of {@link #VALUES}. */
  static List<Column> spread(List<Column> columns, int values) {
    return columns.stream()
        .flatMap(column ->
            column.equals(VALUES)
                ? IntStream.rangeClosed(1, values).mapToObj(Column::ofValue)
                : Stream.of(column))
        .toList();
  }

  /**
   * Parses comma-separated names.
   *
   * @param option the option, for the message
   * @throws UsageException if a name is not a column
   */
  static List<Column> list(String option, String names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      columns.add(of(option, "", name.strip()));
    }
    return columns;
  }

  /**
   * Parses a name.
   *
   * @param option the option, for the message
   * @param sign what {@code name} begins with, before the column's own name
   * @throws UsageException if it is not a column
   */
  static Column of(String option, String sign, String name) {
    Matcher value = VALUE.matcher(name.substring(sign.length()).toLowerCase(Locale.ROOT));
    return value.matches()
        ? ofValue(Integer.parseInt(value.group(1)))
        : OptionValue.of(
            option, "column", name, KNOWN.toArray(Column[]::new), column -> sign + column.key());
  }

  /**
   * Refuses the column of a value that no task has.
   *
   * @param option the option and what is before the name, for the message
   * @param most the largest number of values of a task
   * @throws UsageException if it is such a column
   */
  void checkValue(String option, int most) {
    if (value <= most) {
      return;
    }
    String own =
        switch (most) {
          case 0 -> "";
          case 1 -> "value1, ";
          case 2 -> "value1, value2, ";
          default -> "value1 to value%d, ".formatted(most);
        };
    throw new UsageException(
        "%s%s: no task of this run has %s; expected one of %s%s"
            .formatted(
                option,
                key,
                most == 0 ? "values" : "%d values".formatted(value),
                own,
                KNOWN.stream()
                    .filter(column -> most > 0 || !column.equals(VALUES))
                    .map(Column::key)
                    .collect(Collectors.joining(", "))));
  }

  /** Whether its values compare as numbers. */
  boolean isNumber() {
    return type == Type.NUMBER;
  }

  /** Whether a terminal's table may show only a part; numbers and tasks are needed whole. */
  boolean mayBeCut() {
    return type == Type.TEXT;
  }

  /** Whether it is what a task printed or returned. */
  boolean isOutput() {
    return equals(STDOUT) || equals(STDERR) || equals(OUTPUT);
  }

  /** Whether it shows the task and not its result, so that the workload is needed. */
  boolean isOfTask() {
    return equals(COMMAND) || isOfValue();
  }

  /** Whether it shows one or all of the task's values. */
  boolean isOfValue() {
    return equals(VALUES) || value > 0;
  }

  /** Whether a cut value keeps its end, in which the tasks of a run differ. */
  boolean keepsEnd() {
    return isOfTask();
  }

  /** Its value; a missing or null node if there is none. */
  JsonNode of(Answer answer) {
    if (equals(COMMAND)) {
      return TextNode.valueOf(answer.sent().command());
    }
    List<String> values = answer.sent().values();
    if (value > 0) {
      return value <= values.size()
          ? TextNode.valueOf(values.get(value - 1))
          : MissingNode.getInstance();
    }
    return equals(VALUES) ? TextNode.valueOf(String.join(" ", values)) : of(answer.line());
  }

  /** The value of a column that does not show the task. */
  JsonNode of(JsonNode line) {
    return line.path(key);
  }
}
