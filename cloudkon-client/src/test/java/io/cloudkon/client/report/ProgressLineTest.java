package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private static final long SECOND = 1_000_000_000L;

  private final ProgressLine line = new ProgressLine(false);

  @Test
  void a_run_under_way_shows_share_count_rate_failures_and_time_left() {
    line.text(0, 0, 0, 0, 10_000, 99);

    assertThat(line.text(2 * SECOND, 5_000, 0, 3, 10_000, 99))
        .isEqualTo(
            "###############...............  50 %  5,000 of 10,000   2,500/s   3 not succeeded  "
                + " 2 s left");
  }

  @Test
  void an_unknown_total_shows_what_is_done() {
    line.text(0, 0, 0, 0, -1, 79);

    assertThat(line.text(SECOND, 1_234, 0, 0, -1, 79)).isEqualTo("1,234 done   1,234/s");
  }

  @Test
  void the_first_look_has_no_rate_and_no_time_left() {
    assertThat(line.text(0, 0, 0, 0, 100, 79))
        .isEqualTo("..............................   0 %  0 of 100");
  }

  @Test
  void an_ended_run_has_no_time_left() {
    line.text(0, 0, 0, 0, 10, 79);

    assertThat(line.text(SECOND, 10, 0, 0, 10, 79))
        .isEqualTo("############################## 100 %  10 of 10   10.0/s");
  }

  @Test
  void the_rate_is_that_of_the_last_seconds() {
    line.text(0, 0, 0, 0, 100_000, 79);
    line.text(5 * SECOND, 50_000, 0, 0, 100_000, 79);
    line.text(6 * SECOND, 50_010, 0, 0, 100_000, 79);

    assertThat(line.text(16 * SECOND, 50_110, 0, 0, 100_000, 79)).contains("10.0/s");
  }

  /** A resumed client took a day's results for the speed of its first second. */
  @Test
  void results_that_waited_are_done_and_no_speed() {
    line.text(0, 0, 0, 0, 100, 79);

    assertThat(line.text(SECOND, 60, 50, 0, 100, 79)).contains("60 of 100   10.0/s   4 s left");
  }

  @Test
  void a_narrow_terminal_gets_a_shorter_bar_or_none() {
    line.text(0, 0, 0, 0, 1_000, 60);

    assertThat(line.text(SECOND, 500, 0, 0, 1_000, 60)).startsWith("######").hasSizeLessThan(61);
    assertThat(line.text(SECOND, 500, 0, 0, 1_000, 44)).startsWith("500 of 1,000");
    assertThat(line.text(SECOND, 500, 0, 0, 1_000, 8)).isEqualTo("500 of 1");
  }

  @Test
  void more_results_than_tasks_known_so_far_is_not_more_than_all() {
    line.text(0, 0, 0, 0, 10, 79);

    assertThat(line.text(SECOND, 20, 0, 0, 10, 79)).contains("100 %");
  }
}
