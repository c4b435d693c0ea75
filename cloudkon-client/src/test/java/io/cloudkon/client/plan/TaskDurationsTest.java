package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskDurationsTest {
  private static final Work SHELL = Work.Exec.shell("./words a b");
  private static final Work SHA = new Work.JavaCall("sha256", List.of("x"));

  private static Optional<Long> micros(Work work, String... given) {
    TaskDurations times = new TaskDurations(Stream.of(given).map(GivenTime::parse).toList(), null);
    return times.draw(new Task(0, "1", work, 0), new SplittableRandom(1));
  }

  @Test
  void sleep_and_noop_are_known() {
    assertThat(micros(new Work.Sleep(16))).contains(16_000L);
    assertThat(micros(Work.Noop.INSTANCE)).contains(0L);
    assertThat(micros(new Work.Sleep(16), "1s")).contains(16_000L);
  }

  @Test
  void commands_and_handlers_are_not_known_unless_given() {
    assertThat(micros(SHELL)).isEmpty();
    assertThat(micros(SHA)).isEmpty();
    assertThat(micros(SHELL, "java=1s")).isEmpty();
    assertThat(micros(SHA, "java:echo=1s")).isEmpty();
  }

  @Test
  void what_names_a_task_more_closely_wins_wherever_it_stands() {
    String[] given = {"1s", "exec=2s", "exec:./words=3s", "java=4s", "java:echo=5s"};

    assertThat(micros(SHELL, given)).contains(3_000_000L);
    assertThat(micros(Work.Exec.shell("other"), given)).contains(2_000_000L);
    assertThat(micros(SHA, given)).contains(4_000_000L);
    assertThat(micros(SHA, "exec=2s", "1s")).contains(1_000_000L);
  }

  @Test
  void task_ends_with_its_timeout() {
    TaskDurations times = new TaskDurations(List.of(GivenTime.parse("1s")), null);

    assertThat(times.draw(new Task(0, "1", SHA, 300), new SplittableRandom(1))).contains(300_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep=1s", "=1s", "java:=1s", "jav:sha256=1s", "java=", "java=soon"})
  void what_names_no_kind_or_no_time_is_refused(String text) {
    assertThatThrownBy(() -> GivenTime.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }
}
