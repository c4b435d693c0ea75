package io.cloudkon.client.workload;

/** Makes a task of a line. The checking and the reading pass use the same one, so they agree. */
sealed interface LineParser permits TextLineParser, JsonLineParser {
  /**
   * Parses one line of well-formed UTF-8 without its line end.
   *
   * @return false if the line holds no task (blank, or a comment); the draft is then undefined
   * @throws BadLineException if the line is no task
   */
  boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException;

  /** The parser of a format that is known. */
  static LineParser of(WorkloadFormat format, WorkloadLimits limits) {
    return switch (format) {
      case TEXT -> new TextLineParser();
      case JSONL -> new JsonLineParser(limits.maxRetries());
      case AUTO -> throw new IllegalArgumentException("the format is not known yet");
    };
  }

  /** The first position from {@code from} that is neither blank nor tab, or {@code to}. */
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

  /** Blank or tab. */
  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
