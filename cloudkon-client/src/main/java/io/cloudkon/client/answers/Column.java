package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** A fact about how a task ended. */
public enum Column {
  TASK("task"),
  INDEX("index"),
  STATUS("status"),
  EXIT_CODE("exitCode"),
  STARTED_AT("startedAt"),
  SECONDS("seconds"),
  CPU_SECONDS("cpuSeconds"),
  WORKER("worker"),
  ATTEMPT("attempt"),
  TRIES("tries"),
  COMMAND("command"),
  STDOUT("stdout"),
  STDERR("stderr"),
  OUTPUT("output"),
  ERROR("error");

  /** Those that are shown where nobody says which. */
  static final List<Column> USUAL =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, STDOUT);

  /** Those where all have failed. */
  static final List<Column> USUAL_OF_FAILURES =
      List.of(TASK, STATUS, EXIT_CODE, SECONDS, WORKER, COMMAND, ERROR);

  private final String key;

  Column(String key) {
    this.key = key;
  }

  /** Its name on the command line and in what is written. */
  public String key() {
    return key;
  }

  /**
   * Reads names with commas between them.
   *
   * @param option whose value they are
   * @throws io.cloudkon.core.error.UsageException if one is no column
   */
  static List<Column> list(String option, String names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      columns.add(of(option, name.strip()));
    }
    return columns;
  }

  /**
   * Reads a name.
   *
   * @param option whose value it is
   * @throws io.cloudkon.core.error.UsageException if it is no column
   */
  static Column of(String option, String name) {
    return OptionValue.of(option, "column", name, values(), Column::key);
  }

  /** Whether greater and less are those of numbers. */
  boolean isNumber() {
    return switch (this) {
      case INDEX, EXIT_CODE, SECONDS, CPU_SECONDS, ATTEMPT, TRIES -> true;
      default -> false;
    };
  }

  /** Its value; missing or null where there is none. */
  JsonNode of(Answer answer) {
    return this == COMMAND ? TextNode.valueOf(answer.command()) : of(answer.line());
  }

  /** The value of any column but {@link #COMMAND}. */
  JsonNode of(JsonNode line) {
    return line.path(key);
  }
}
