package io.cloudkon.client.dead;

import io.cloudkon.client.dead.DeadLetter.Tasks;
import io.cloudkon.client.dead.DeadLetter.Undecodable;
import io.cloudkon.client.status.Say;
import io.cloudkon.client.workload.TaskLine;
import io.cloudkon.client.workload.UnwritableTaskException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Formats dead letters for people. Stateless. */
public final class DeadLetterText {
  private static final String ROW = "%-8s  %-24s  %7s  %-19s  %s";
  private static final int EXCERPT_BYTES = 128;
  private static final int BYTES_A_LINE = 16;

  private DeadLetterText() {}

  /** The header line of the table of letters. */
  public static String head() {
    return String.format(Locale.ROOT, ROW, "ID", "RUN", "TASKS", "SINCE", "REASON");
  }

  /**
   * One line of that table.
   *
   * @param columns the maximum width
   */
  public static String row(LetterLine letter, long nowMillis, int columns) {
    String line =
        String.format(
            Locale.ROOT,
            ROW,
            letter.shortId(),
            letter.run().isEmpty() ? "?" : Say.cut(letter.run(), 24),
            letter.tasks() < 0 ? "?" : Say.number(letter.tasks()),
            Say.when(letter.sentMillis(), nowMillis),
            legible(letter.reason()));
    return Say.cut(line, columns);
  }

  /** All details of one letter, each line with its line end. */
  public static String of(DeadLetter letter, String cluster, long nowMillis) {
    StringBuilder text = new StringBuilder();
    line(text, "Dead letter %s of cluster %s", letter.shortId(), cluster);
    field(text, "id", letter.id());
    field(text, "run", letter.run());
    field(text, "bundle", letter.bundle());
    field(text, "answers to", letter.responseQueue());
    field(
        text,
        "since",
        "%s, %s ago"
            .formatted(
                Say.when(letter.sentMillis(), nowMillis),
                Say.span(nowMillis - letter.sentMillis())));
    field(text, "reason", letter.reason());
    switch (letter.contents()) {
      case Tasks tasks -> tasks(text, tasks);
      case Undecodable what -> undecodable(text, what);
    }
    return text.toString();
  }

  private static void tasks(StringBuilder text, Tasks tasks) {
    List<Content> ships = tasks.bundle().header().ships();
    if (!ships.isEmpty()) {
      field(text, "shipped", String.join(", ", ships.stream().map(Content::name).toList()));
    }
    List<Task> all = tasks.bundle().tasks();
    line(text, "");
    line(text, "%s, as in a .jsonl workload:", Say.count(all.size(), "task"));
    for (Task task : all) {
      try {
        text.append(TaskLine.of(task)).append('\n');
      } catch (UnwritableTaskException e) {
        line(text, "(%s)", String.valueOf(e.getMessage()));
      }
    }
  }

  private static void undecodable(StringBuilder text, Undecodable what) {
    byte[] payload = what.payload();
    field(text, "not read", what.problem());
    field(text, "size", Say.count(payload.length, "byte"));
    line(text, "");
    for (int from = 0; from < Math.min(payload.length, EXCERPT_BYTES); from += BYTES_A_LINE) {
      byte[] part =
          Arrays.copyOfRange(payload, from, Math.min(payload.length, from + BYTES_A_LINE));
      String hex = HexFormat.ofDelimiter(" ").formatHex(part);
      line(text, "%04x  %-47s  %s", from, hex, ascii(part));
    }
    if (payload.length > EXCERPT_BYTES) {
      line(text, "and %s more", Say.count(payload.length - EXCERPT_BYTES, "byte"));
    }
  }

  private static String ascii(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      text.append(b >= 0x20 && b < 0x7f ? (char) b : '.');
    }
    return text.toString();
  }

  private static void field(StringBuilder text, String name, String value) {
    line(text, "  %-10s  %s", name, value.isEmpty() ? "?" : legible(value));
  }

  /** Replaces control characters, so that text from others cannot control the terminal. */
  private static String legible(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void line(StringBuilder text, String format, Object... args) {
    text.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
