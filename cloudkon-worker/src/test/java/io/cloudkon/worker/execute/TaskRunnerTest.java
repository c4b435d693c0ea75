package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskRunnerTest {
  private final Runs runs = new Runs(Runs.CONFIG);

  @AfterEach
  void close() throws IOException {
    runs.close();
  }

  @Test
  void noop_succeeds_with_the_injected_clocks_microseconds() throws Exception {
    Instant noon = Instant.parse("2026-11-20T12:00:00.123456789Z");
    try (TaskRunner runner =
        new TaskRunner(Runs.CONFIG, runs.handlers, Clock.fixed(noon, ZoneOffset.UTC), task -> {})) {
      TaskOutcome outcome =
          runner.run(
              TaskEnvironment.bare("a-run", 0), Tasks.of(Work.Noop.INSTANCE), new Interruption());

      assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(outcome.startedMicros()).isEqualTo(noon.getEpochSecond() * 1_000_000 + 123_456);
      assertThat(outcome.finishedMicros()).isEqualTo(outcome.startedMicros());
    }
  }

  @Test
  void sleep_ends_not_before_its_time() throws Exception {
    long start = System.nanoTime();

    TaskOutcome outcome = runs.run(Tasks.sleep(30));

    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
    assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void sleep_of_nothing_succeeds_at_once() throws Exception {
    assertThat(runs.run(Tasks.sleep(0)).status()).isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void sleep_beyond_its_time_limit_times_out() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.timed(new Work.Sleep(Long.MAX_VALUE), 20));

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.error()).isEqualTo("exceeded its time limit of 20 ms");
  }

  @Test
  void kill_ends_all_tasks_of_one_interruption_with_its_first_reason() {
    CompletableFuture<TaskOutcome> one = runs.start(Tasks.sleep(1_000_000));
    CompletableFuture<TaskOutcome> two = runs.start(Tasks.sleep(Long.MAX_VALUE));

    runs.interruption.kill("lease lost");
    runs.interruption.kill("drain");

    assertThat(Runs.failure(one))
        .isInstanceOf(TaskInterruptedException.class)
        .hasMessage("lease lost");
    assertThat(Runs.failure(two)).hasMessage("lease lost");
  }

  @Test
  void task_after_kill_does_not_start() {
    runs.interruption.kill("cancelled");

    assertThatThrownBy(() -> runs.run(Tasks.of(Work.Noop.INSTANCE)))
        .isInstanceOf(TaskInterruptedException.class)
        .hasMessage("cancelled");
  }

  @Test
  void slot_whose_thread_is_interrupted_gives_no_outcome_and_keeps_the_flag() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    var seen = new CopyOnWriteArrayList<Object>();
    Thread slot =
        Thread.ofVirtual()
            .start(() -> {
              try {
                runs.run(Tasks.sleep(1_000_000));
              } catch (TaskInterruptedException e) {
                seen.add(Thread.currentThread().isInterrupted());
              }
              over.countDown();
            });

    slot.interrupt();
    over.await();

    assertThat(seen).containsExactly(true);
  }

  @Test
  void kind_that_is_not_allowed_fails_and_says_what_is() throws Exception {
    RunnerConfig narrow =
        new RunnerConfig(
            Set.of(AllowedWork.SLEEP, AllowedWork.NOOP), 10, null, Duration.ofSeconds(1));
    try (Runs few = new Runs(narrow)) {
      TaskOutcome outcome = few.run(Tasks.shell("true"));

      assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
      assertThat(outcome.error())
          .isEqualTo("this worker does not run exec tasks (--allow noop,sleep)");
    }
  }

  @Test
  void defaults_are_as_documented() {
    assertThat(RunnerConfig.DEFAULT)
        .isEqualTo(
            new RunnerConfig(Set.of(AllowedWork.values()), 65_536, null, Duration.ofSeconds(13)));
  }

  @Test
  void config_that_cannot_work_is_refused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new RunnerConfig(Set.of(), 1, null, second))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--allow");
    assertThatThrownBy(() -> new RunnerConfig(Set.of(AllowedWork.NOOP), -1, null, second))
        .hasMessageContaining("--max-capture");
    assertThatThrownBy(
            () -> new RunnerConfig(Set.of(AllowedWork.NOOP), 1, null, Duration.ofMillis(99)))
        .hasMessageContaining("100 ms");
  }
}
