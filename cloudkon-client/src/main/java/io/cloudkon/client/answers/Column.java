package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** A column of the answers: one fact about a task's result. */
public enum Column {
  TASK("task"),
  INDEX("index"),
  STATUS("status"),
  EXIT_CODE("exitCode"),
  STARTED_AT("startedAt"),
  SECONDS("seconds"),
  CPU_SECONDS("cpuSeconds"),
  MAX_RSS_BYTES("maxRssBytes"),
  WORKER("worker"),
  ATTEMPT("attempt"),
  TRIES("tries"),
  COMMAND("command"),
  STDOUT("stdout"),
  STDERR("stderr"),
  OUTPUT("output"),
  ERROR("error");

  /** The default columns. */
  static final List<Column> USUAL =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, STDOUT);

  /** The default columns if only failed tasks are selected. */
  static final List<Column> USUAL_OF_FAILURES =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, ERROR);

  private final String key;

  Column(String key) {
    this.key = key;
  }

  /** Its name on the command line and in the output. */
  public String key() {
    return key;
  }

  /**
   * Parses comma-separated names.
   *
   * @param option the option, for the message
   * @throws io.cloudkon.core.error.UsageException if a name is not a column
   */
  static List<Column> list(String option, String names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      columns.add(of(option, name.strip()));
    }
    return columns;
  }

  /**
   * Parses a name.
   *
   * @param option the option, for the message
   * @throws io.cloudkon.core.error.UsageException if it is not a column
   */
  static Column of(String option, String name) {
    return OptionValue.of(option, "column", name, values(), Column::key);
  }

  /** Whether its values compare as numbers. */
  boolean isNumber() {
    return switch (this) {
      case INDEX, EXIT_CODE, SECONDS, CPU_SECONDS, MAX_RSS_BYTES, ATTEMPT, TRIES -> true;
      default -> false;
    };
  }

  /** Whether a terminal's table may show only the beginning; numbers and tasks are needed whole. */
  boolean mayBeCut() {
    return switch (this) {
      case COMMAND, STDOUT, STDERR, OUTPUT, ERROR, WORKER -> true;
      default -> false;
    };
  }

  /** Its value; a missing or null node if there is none. */
  JsonNode of(Answer answer) {
    return this == COMMAND ? TextNode.valueOf(answer.command()) : of(answer.line());
  }

  /** The value of any column but {@link #COMMAND}. */
  JsonNode of(JsonNode line) {
    return line.path(key);
  }
}
