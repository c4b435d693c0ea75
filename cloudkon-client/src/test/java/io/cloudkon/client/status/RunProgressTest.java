package io.cloudkon.client.status;

import static io.cloudkon.client.status.Clusters.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunProgressTest {
  private static final RunEntry DETACHED =
      Clusters.run("r", RunEntry.State.OPEN, NOW - 5_000, 1_000, 1_000, 357);

  private static WorkerEntry worker(long silentMillis, long tasks, long failed, double rate) {
    return Clusters.finished(
        Clusters.worker("w", 2, silentMillis), Map.of("r", new FinishedTasks(tasks, failed, rate)));
  }

  @Test
  void counts_of_a_client_that_collects_hold() {
    RunEntry run = Clusters.run("r", RunEntry.State.OPEN, NOW + 10_000, 1_000, 1_000, 357);

    RunProgress progress = RunProgress.of(run, List.of(worker(0, 603, 9, 10)), NOW);

    assertThat(progress.finished()).isEqualTo(357);
    assertThat(progress.notSucceeded()).isEqualTo(2);
    assertThat(progress.about()).isFalse();
    assertThat(progress.number()).isEqualTo("357");
    assertThat(progress.secondsLeft()).hasValue(64.3);
  }

  @Test
  void what_workers_say_counts_once_the_client_has_left() {
    RunProgress progress =
        RunProgress.of(
            DETACHED.with(new FinishedTasks(100, 1, 0)),
            List.of(worker(0, 500, 3, 10), worker(300_000, 3, 0, 7)),
            NOW);

    assertThat(progress.finished()).isEqualTo(603);
    assertThat(progress.notSucceeded()).isEqualTo(4);
    assertThat(progress.number()).isEqualTo("~603");
    // the dead one's rate is no more
    assertThat(progress.pace()).isEqualTo("10.0 tasks/s, about 39 s left");
  }

  @Test
  void tasks_that_ran_twice_make_no_more_than_there_are() {
    assertThat(RunProgress.of(DETACHED, List.of(worker(0, 1_200, 1_100, 0)), NOW))
        .satisfies(progress -> {
          assertThat(progress.finished()).isEqualTo(1_000);
          assertThat(progress.notSucceeded()).isEqualTo(1_000);
          assertThat(progress.secondsLeft()).isEmpty();
        });
  }

  @Test
  void what_the_client_counted_is_the_least() {
    RunProgress progress = RunProgress.of(DETACHED, List.of(worker(0, 12, 0, 0)), NOW);

    assertThat(progress.number()).isEqualTo("357");
    assertThat(progress.pace()).isEmpty();
  }

  @Test
  void run_that_has_ended_has_no_time_left() {
    RunEntry ended = Clusters.run("r", RunEntry.State.ENDED, NOW - 5_000, 1_000, 1_000, 1_000);

    RunProgress progress = RunProgress.of(ended, List.of(worker(0, 900, 0, 10)), NOW);

    assertThat(progress.number()).isEqualTo("1,000");
    assertThat(progress.secondsLeft()).isEmpty();
  }
}
