package io.cloudkon.client.answers;

/** An output format of answers. */
public enum AnswerFormat {
  /** An aligned table for people, with long values cut. */
  TABLE,
  /** Tab-separated columns, a header line, and no line ends in values. */
  TSV,
  /** Comma-separated values for spreadsheets (RFC 4180), with a header line. */
  CSV,
  /** JSON Lines: the chosen columns, or everything in {@code results.jsonl} and the command. */
  JSONL
}
