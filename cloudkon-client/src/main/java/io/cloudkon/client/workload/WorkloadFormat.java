package io.cloudkon.client.workload;

import java.util.Locale;

/** How a workload is written. */
public enum WorkloadFormat {
  /** One task a line, in words: {@code sleep 16}. */
  TEXT,
  /** One JSON object a line. */
  JSONL,
  /**
   * The default: a file is {@link #JSONL} if its name ends in {@code .jsonl}, else {@link #TEXT};
   * what is no regular file (standard input, a pipe) is {@link #JSONL} if its first non-blank byte
   * is an opening brace.
   */
  AUTO;

  /** What the ending of a regular file's name says. */
  static WorkloadFormat ofName(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".jsonl") ? JSONL : TEXT;
  }

  /** What the first line that is not blank says. */
  static WorkloadFormat ofFirstLine(byte[] bytes, int start, int end) {
    return start < end && bytes[start] == '{' ? JSONL : TEXT;
  }
}
