package io.cloudkon.client.answers;

/** The formats in which answers are written. */
public enum AnswerFormat {
  /** For people: columns side by side, long values cut. */
  TABLE,
  /** Columns with tabs between them, a first line with their names, and no line ends in values. */
  TSV,
  /** As spreadsheets read it (RFC 4180), a first line with the columns' names. */
  CSV,
  /** JSON Lines: the columns, or all of {@code results.jsonl} and the command. */
  JSONL
}
