package io.cloudkon.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class NarratorTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void long_statement_is_broken_between_words() {
    narrator(false).say("word ".repeat(40).strip());

    assertThat(text().lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 80);
    assertThat(text().replace('\n', ' ').strip()).isEqualTo("word ".repeat(40).strip());
  }

  @Test
  void longer_word_than_a_line_stays_whole() {
    narrator(false).say("Picture: " + "x".repeat(100));

    assertThat(text().lines()).containsExactly("Picture:", "x".repeat(100));
  }

  @Test
  void progress_on_the_line_is_wiped_only_on_a_terminal() {
    narrator(false).overProgress("told");
    assertThat(text()).isEqualTo("told\n");

    out.reset();
    narrator(true).overProgress("told");
    assertThat(text()).startsWith("\r").endsWith("told\n");
  }

  private Narrator narrator(boolean terminal) {
    return new Narrator(new PrintStream(out, true, UTF_8), terminal);
  }

  private String text() {
    return out.toString(UTF_8).replace("\r\n", "\n");
  }
}
