package io.cloudkon.client.report;

/** A page of 80 columns with labelled lines. Used by one thread at a time. */
final class ReportPage {
  private static final int COLUMNS = 80;

  /** The maximum number of lines of an error. */
  private static final int ERROR_LINES = 4;

  private static final String INDENT = "  ";
  private static final int LABEL_COLUMNS = 12;

  private final StringBuilder text = new StringBuilder();

  /** Appends text as it is. */
  ReportPage text(String more) {
    text.append(more);
    return this;
  }

  /** Appends a label and its text, which is broken between words if it does not fit. */
  void line(String label, String words) {
    String margin = INDENT + " ".repeat(LABEL_COLUMNS);
    StringBuilder line = new StringBuilder(INDENT + label);
    line.append(" ".repeat(margin.length() - line.length()));
    boolean empty = true;
    for (String word : words.split(" (?=[^%])", -1)) {
      if (!empty && line.length() + 1 + word.length() > COLUMNS) {
        text.append(line).append('\n');
        line = new StringBuilder(margin);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    text.append(line).append('\n');
  }

  /** Appends an error on several lines if needed, because its end often says what to do. */
  void paragraph(String words) {
    String margin = INDENT + INDENT;
    String rest = words;
    for (int i = 0; i < ERROR_LINES - 1 && margin.length() + rest.length() > COLUMNS; i++) {
      int end = rest.lastIndexOf(' ', COLUMNS - margin.length());
      if (end <= 0) {
        break;
      }
      text.append(fit(margin + rest.substring(0, end))).append('\n');
      rest = rest.substring(end + 1);
      margin = INDENT + INDENT + INDENT;
    }
    text.append(fit(margin + rest)).append('\n');
  }

  /** Appends a line that a task wrote; {@code whose} names its rank, if any. */
  void quote(String whose, String line) {
    text.append(fit(INDENT + INDENT + INDENT + whose + "| " + line)).append('\n');
  }

  /** Makes foreign text fit a line: without control characters, and not wider than the page. */
  private static String fit(String line) {
    String plain = line.replace("\t", "    ").replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= COLUMNS ? plain : plain.substring(0, COLUMNS - 3) + "...";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
