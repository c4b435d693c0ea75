package io.cloudkon.client.workload;

/**
 * Parses a line into a task. The checking pass and the reading passes use the same parser, so they
 * agree.
 */
sealed interface LineParser permits TextLineParser, JsonLineParser {
  /**
   * Parses one line of well-formed UTF-8 without its line end.
   *
   * @return false if the line contains no task (blank or a comment); the draft is then undefined
   * @throws BadLineException if the line is not a valid task
   */
  boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException;

  /** The parser of a known format. */
  static LineParser of(WorkloadFormat format, WorkloadLimits limits) {
    return switch (format) {
      case TEXT -> new TextLineParser();
      case JSONL -> new JsonLineParser(limits.maxRetries());
      case AUTO -> throw new IllegalArgumentException("the format is not known yet");
    };
  }

  /** The first position from {@code from} on that is neither a blank nor a tab, or {@code to}. */
  static int skipBlanks(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && isBlank(bytes[i])) {
      i++;
    }
    return i;
  }

  /** The end of the text without trailing blanks and tabs. */
  static int trimEnd(byte[] bytes, int from, int to) {
    int i = to;
    while (i > from && isBlank(bytes[i - 1])) {
      i--;
    }
    return i;
  }

  /** Whether the byte is a blank or a tab. */
  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
