package io.cloudkon.client.workload;

import java.util.Locale;

/** The format of a workload. */
public enum WorkloadFormat {
  /** One task per line, in words: {@code sleep 16}. */
  TEXT,
  /** One JSON object per line. */
  JSONL,
  /**
   * The default: a regular file is {@link #JSONL} if its name ends in {@code .jsonl}, otherwise
   * {@link #TEXT}. Standard input or a pipe is {@link #JSONL} if its first non-blank byte is an
   * opening brace.
   */
  AUTO;

  /** The format that the extension of a regular file's name implies. */
  static WorkloadFormat ofName(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".jsonl") ? JSONL : TEXT;
  }

  /** The format that the first non-blank line implies. */
  static WorkloadFormat ofFirstLine(byte[] bytes, int start, int end) {
    return start < end && bytes[start] == '{' ? JSONL : TEXT;
  }
}
