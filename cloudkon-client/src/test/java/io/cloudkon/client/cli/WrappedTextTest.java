package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTextTest {
  @Test
  void message_is_broken_between_words() {
    assertThat(WrappedText.of("cloudkon run: one two three, four", 20))
        .isEqualTo("cloudkon run: one\n  two three, four");
    assertThat(WrappedText.of("cloudkon run: one", 20)).isEqualTo("cloudkon run: one");
    assertThat(WrappedText.of("a /path/that/is/longer/than/a/line b", 12))
        .isEqualTo("a\n  /path/that/is/longer/than/a/line\n  b");
  }

  /** A line end in a command that is copied would run half of it. */
  @Test
  void command_to_copy_stays_whole() {
    assertThat(
            WrappedText.of(
                "interrupted: 3 of 9 tasks sent; resume it with: cloudkon client -s Q --resume r"
                    + " --out 'a b'; or wait",
                40))
        .isEqualTo(
            """
            interrupted: 3 of 9 tasks sent; resume
              it with:
              cloudkon client -s Q --resume r --out 'a b';
              or wait\
            """);
    assertThat(WrappedText.of("cancel it with: cloudkon cancel r", 40))
        .isEqualTo("cancel it with: cloudkon cancel r");
    assertThat(WrappedText.of("resume with: cloudkon client --out 'a;b c'; or wait", 20))
        .isEqualTo("resume with:\n  cloudkon client --out 'a;b c';\n  or wait");
  }

  /** It was another path then. */
  @Test
  void only_single_blanks_outside_quotes_become_line_ends() {
    assertThat(WrappedText.of("send it with --ship 'my  data dir'", 24))
        .isEqualTo("send it with --ship\n  'my  data dir'");
    assertThat(WrappedText.of("a\tb  c\nthe run's folder is here", 12))
        .isEqualTo("a\tb  c\nthe run's\n  folder is\n  here");
    assertThat(WrappedText.of("ends with a blank ", 80)).isEqualTo("ends with a blank ");
  }
}
