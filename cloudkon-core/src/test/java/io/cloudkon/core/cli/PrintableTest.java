package io.cloudkon.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "Zürich → 東京 😀", "two\nlines\tand a tab"})
  void plain_text_stays_as_it_is(String text) {
    assertThat(Printable.text(text)).isSameAs(text);
  }

  @Test
  void what_steers_a_terminal_becomes_visible() {
    assertThat(Printable.text("\u001b]0;title\u0007\u001b[2J\r\u009b1A\u202egnp.exe\u2066"))
        .isEqualTo("\\u001b]0;title\\u0007\\u001b[2J\\r\\u009b1A\\u202egnp.exe\\u2066");
  }

  @Test
  void half_a_character_and_a_tag_become_visible() {
    assertThat(Printable.text("\ud800 \udb40\udc01")).isEqualTo("\\ud800 \\udb40\\udc01");
  }

  @Test
  void one_line_stays_one_line() {
    assertThat(Printable.line("a\nb\tc\r\u2028d")).isEqualTo("a\\nb\\tc\\r\\u2028d");
  }
}
