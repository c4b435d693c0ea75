package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
  private static List<String> split(String line) throws BadLineException {
    Words words = new Words();
    byte[] bytes = ("#" + line + "#").getBytes(UTF_8);
    words.reset(bytes, 1, bytes.length - 1);
    List<String> all = new ArrayList<>();
    while (words.next()) {
      assertThat(words.isEmpty()).isEqualTo(words.word().isEmpty());
      all.add(words.word());
    }
    return all;
  }

  @Test
  void words_without_quotes_are_split_at_blanks_and_tabs() throws Exception {
    assertThat(split("")).isEmpty();
    assertThat(split(" \t ")).isEmpty();
    assertThat(split(" a  bé\tc ")).containsExactly("a", "bé", "c");
  }

  @Test
  void words_in_single_quotes_stand_for_themselves() throws Exception {
    assertThat(split("'a b' 'c\\' '\"' ''")).containsExactly("a b", "c\\", "\"", "");
  }

  @Test
  void words_in_double_quotes_unescape_quote_and_backslash_only() throws Exception {
    assertThat(split("\"a b\" \"c\\\"d\" \"e\\\\f\" \"g\\n\" \"'\" \"\""))
        .containsExactly("a b", "c\"d", "e\\f", "g\\n", "'", "");
  }

  @Test
  void backslash_outside_quotes_protects_one_character() throws Exception {
    assertThat(split("a\\ b \\\\ \\' \\é \\n")).containsExactly("a b", "\\", "'", "é", "n");
  }

  @Test
  void parts_that_touch_are_one_word() throws Exception {
    assertThat(split("a'b c'\"d e\"f\\ g h")).containsExactly("ab cd ef g", "h");
  }

  @Test
  void long_words_with_quotes_are_whole() throws Exception {
    String text = "é".repeat(5000);
    assertThat(split("'" + text + "' \"" + text + "\"")).containsExactly(text, text);
  }

  @Test
  void quote_never_closed_is_refused() {
    assertThatThrownBy(() -> split("a 'b c"))
        .hasMessage(
            "the quote is never closed: \"'b c\";"
                + " expected a closing ', or \\' for the character");
    assertThatThrownBy(() -> split("a \"b\\\""))
        .hasMessageStartingWith("the quote is never closed: \"\"b\\\"\"");
  }

  @Test
  void backslash_at_the_end_is_refused() {
    assertThatThrownBy(() -> split("a \\"))
        .hasMessage(
            "nothing follows the backslash at the end of the line;"
                + " expected \\\\ for a backslash, or the argument in single quotes");
  }
}
