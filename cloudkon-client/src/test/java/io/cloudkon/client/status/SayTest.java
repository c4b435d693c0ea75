package io.cloudkon.client.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.Wording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SayTest {

  @Test
  void wrapped_line_breaks_at_blanks_and_keeps_its_indent() {
    assertThat(Say.wrap("  one two three", 11)).containsExactly("  one two", "    three");
    assertThat(Say.wrap("one two three", 13)).containsExactly("one two three");
    assertThat(Say.wrap("", 10)).containsExactly("");
    assertThat(Say.wrap("one two", 0)).containsExactly("one", "  two");
    assertThat(Say.wrap("a /path/that/is/long b", 8))
        .containsExactly("a", "  /path/that/is/long", "  b");
  }

  @Test
  void cut_at_its_head_a_text_keeps_its_end() {
    assertThat(Say.cutHead("abcdefgh", 6)).isEqualTo("...fgh");
    assertThat(Say.cutHead("abcdef", 6)).isEqualTo("abcdef");
  }

  @ParameterizedTest
  @CsvSource({
    "-5, 0 s",
    "999, 0 s",
    "119999, 119 s",
    "120000, 2 min",
    "7199999, 119 min",
    "7200000, 2 h",
    "172800000, 2 d"
  })
  void span_is_rounded_down_to_one_unit(long millis, String said) {
    assertThat(Say.span(millis)).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "999, 999 B", "1000, 1.0 KB", "67108864, 64 MB", "1610612736, 1.5 GB"})
  void bytes_have_few_characters(long bytes, String said) {
    assertThat(Wording.bytes(bytes)).isEqualTo(said);
  }

  @Test
  void largest_number_of_bytes_has_few_characters_too() {
    assertThat(Wording.bytes(Long.MAX_VALUE)).hasSizeLessThanOrEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({"abcdef, 6, abcdef", "abcdef, 5, ab...", "abcdef, 2, ab", "abcdef, 0, ''"})
  void cut_keeps_to_its_columns(String text, int columns, String said) {
    assertThat(Say.cut(text, columns)).isEqualTo(said);
  }

  @Test
  void count_knows_one_from_many() {
    assertThat(Say.count(1, "task")).isEqualTo("1 task");
    assertThat(Say.count(1_234, "task")).isEqualTo("1,234 tasks");
  }
}
