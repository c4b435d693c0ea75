package io.cloudkon.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintedTextTest {

  @Test
  void numbers_times_and_ids_may_differ() {
    assertThat(
            PrintedText.isIn(
                "x\n"
                    + "Run 20261124-101500-0a1bq7: 10 tasks\n"
                    + "  Time  839 ms, 1,000 tasks/s\n"
                    + "vm-a65c68: ok",
                "Run 20260101-000000-ffffzz: 3 tasks\n\n  Time     1 min 50 s, 3 tasks/s\n"
                    + "host.example-99442c23: ok\n"))
        .isTrue();
  }

  @Test
  void numbers_may_not_where_they_count() {
    String printed = "WORKERS   TIME\n 10   3 min 4 s  $0.130\n";
    assertThat(PrintedText.isExactlyIn(printed, "10 3 min 4 s … $0.130")).isTrue();
    assertThat(PrintedText.isExactlyIn(printed, "WORKERS  TIME\n  10  3 min 5 s")).isFalse();
  }

  @Test
  void words_may_not() {
    assertThat(PrintedText.isIn("all 3 tasks succeeded", "all 3 tasks failed")).isFalse();
    assertThat(PrintedText.isIn("one\ntwo\nthree\n", "one\nthree\n")).isFalse();
  }

  @Test
  void dots_stand_for_what_is_left_out() {
    assertThat(PrintedText.isIn("one\ntwo\nthree\n", "one\n…\nthree\n")).isTrue();
    assertThat(PrintedText.isIn("one two three", "one … four")).isFalse();
  }
}
