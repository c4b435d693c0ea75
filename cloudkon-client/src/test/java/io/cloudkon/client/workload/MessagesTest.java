package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessagesTest {
  @Test
  void excerpt_of_control_characters_is_escaped() {
    assertThat(Excerpt.quote("a\tb\n\u001b[31m\u202e\u0085\ud800"))
        .isEqualTo("\"a\\tb\\n\\u001b[31m\\u202e\\u0085\\ud800\"");
  }

  @Test
  void excerpt_of_long_text_is_cut_between_characters() {
    assertThat(Excerpt.quote("x".repeat(60))).isEqualTo('"' + "x".repeat(60) + '"');
    assertThat(Excerpt.quote("x".repeat(61))).isEqualTo('"' + "x".repeat(60) + "…\"");
    assertThat(Excerpt.quote("x".repeat(59) + "😀y")).isEqualTo('"' + "x".repeat(59) + "…\"");
    byte[] smileys = "😀".repeat(1000).getBytes(UTF_8);
    assertThat(Excerpt.quote(smileys, 0, smileys.length)).isEqualTo('"' + "😀".repeat(30) + "…\"");
  }

  @ParameterizedTest
  @CsvSource({
    "slep, sleep",
    "Sleep, sleep",
    "slepe, sleep",
    "sleeep, sleep",
    "nop, noop",
    "nopo, noop",
    "exce, exec",
    "jaba, java"
  })
  void hint_for_a_slip_is_the_word_that_was_meant(String word, String meant) {
    assertThat(WordHint.hint(word, List.of("noop", "sleep", "exec", "java")))
        .isEqualTo("did you mean \"" + meant + "\"? ");
  }

  @ParameterizedTest
  @CsvSource({"bad", "echo", "node", "bash", "x", "sleeping"})
  void hint_for_another_word_is_none(String word) {
    assertThat(WordHint.hint(word, List.of("noop", "sleep", "exec", "java"))).isEmpty();
  }
}
