package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.US_ASCII);
  private final AtomicLong done = new AtomicLong();

  private Progress start(OptionalInt columns) {
    return Progress.start(err, columns, done::get, () -> 0, () -> 0, () -> 4, System::nanoTime);
  }

  @Test
  void nothing_is_drawn_where_there_is_no_terminal() {
    start(OptionalInt.empty()).close();

    assertThat(bytes.size()).isZero();
  }

  @Test
  void the_display_follows_the_numbers_and_wipes_itself() {
    try (Progress progress = start(OptionalInt.of(60))) {
      await().until(() -> bytes.toString(StandardCharsets.US_ASCII).contains("0 of 4"));
      done.set(3);
      await().until(() -> bytes.toString(StandardCharsets.US_ASCII).contains("75 %  3 of 4"));
      assertThat(progress).isNotNull();
    }

    String drawn = bytes.toString(StandardCharsets.US_ASCII);
    assertThat(drawn).endsWith("\r" + " ".repeat(59) + "\r").doesNotContain("\n");
    assertThat(drawn.split("\r")).allMatch(line -> line.length() <= 59);
  }

  /** Behind the last column, the echo of Ctrl-C wrapped, and the line above it stayed. */
  @Test
  void cursor_waits_in_the_first_column() {
    new OneLine(err, 20).accept("3 of 4");

    assertThat(bytes.toString(StandardCharsets.US_ASCII))
        .isEqualTo("\r3 of 4" + " ".repeat(14) + "\r");
  }

  @Test
  void a_terminal_without_a_size_has_eighty_columns() {
    assertThat(Terminal.parse("24 132\n")).hasValue(132);
    assertThat(Terminal.parse("0 0\n")).hasValue(80);
    assertThat(Terminal.parse("")).hasValue(80);
  }

  @Test
  void a_dumb_terminal_is_none() {
    assertThat(Terminal.columns(Map.of("TERM", "dumb"))).isEmpty();
  }
}
