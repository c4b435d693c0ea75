package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EarlyEndTest {
  private final AtomicLong failures = new AtomicLong();
  private final AtomicInteger cancels = new AtomicInteger();
  private final List<String> said = new ArrayList<>();
  private boolean reachable = true;
  private boolean over;
  private long live;

  private final EarlyEnd limit =
      new EarlyEnd(EarlyEnd.tooManyFailures(3, failures::get), this::cancel, said::add);

  private void cancel(Runnable tell) {
    cancels.incrementAndGet();
    if (!reachable) {
      throw new CloudKonException("no answer");
    }
    if (!over) {
      tell.run();
    }
  }

  @Test
  void user_is_told_once_and_of_the_number_at_which_the_run_was_cancelled() {
    EarlyEnd end =
        new EarlyEnd(
            EarlyEnd.tooManyFailures(1, failures::get),
            tell -> {
              tell.run();
              failures.set(7);
              cancel(tell);
            },
            said::add);
    failures.set(1);
    reachable = false;
    assertThat(end.look()).isFalse();
    reachable = true;
    assertThat(end.look()).isTrue();

    assertThat(said)
        .containsExactly("1 task did not succeed (--max-failures 1), so the run is cancelled");
  }

  @Test
  void run_is_cancelled_once_the_limit_is_reached() {
    failures.set(2);
    assertThat(limit.look()).isFalse();
    failures.set(4);
    assertThat(limit.look()).isTrue();

    assertThat(cancels).hasValue(1);
    assertThat(said)
        .containsExactly("4 tasks did not succeed (--max-failures 3), so the run is cancelled");
  }

  @Test
  void cancel_that_fails_is_tried_again() {
    failures.set(3);
    reachable = false;
    assertThat(limit.look()).isFalse();
    assertThat(said).isEmpty();

    reachable = true;
    assertThat(limit.look()).isTrue();
    assertThat(said).hasSize(1);
  }

  @Test
  void run_of_which_no_task_finds_its_command_is_cancelled() {
    RunStatistics statistics = new RunStatistics(0, calls -> 0);
    EarlyEnd end =
        new EarlyEnd(
            EarlyEnd.nothingFound(statistics, () -> 1000, () -> live, "try --ship"),
            this::cancel,
            said::add);
    statistics.acceptWithoutWorker(Collections.nCopies(19, result(127)));
    assertThat(end.look()).isFalse();
    statistics.acceptWithoutWorker(List.of(result(127)));

    assertThat(end.look()).isTrue();

    assertThat(said)
        .containsExactly(
            "the first 20 tasks all exited with 127, command not found (try --ship), so the run"
                + " is cancelled");
  }

  @Test
  void run_goes_on_whose_command_may_be_missing_on_one_worker_only() {
    RunStatistics statistics = new RunStatistics(0, calls -> 0);
    EarlyEnd end =
        new EarlyEnd(
            EarlyEnd.nothingFound(statistics, () -> 1000, () -> live, ""), this::cancel, said::add);
    statistics.acceptWithoutWorker(Collections.nCopies(100, result(127)));
    live = 3;

    assertThat(end.look()).isFalse();
  }

  @Test
  void run_that_is_over_is_not_cancelled() {
    RunStatistics statistics = new RunStatistics(0, calls -> 0);
    EarlyEnd all =
        new EarlyEnd(
            EarlyEnd.nothingFound(statistics, () -> 20, () -> live, ""), this::cancel, said::add);
    statistics.acceptWithoutWorker(Collections.nCopies(20, result(127)));
    assertThat(all.look()).isFalse();

    over = true;
    failures.set(3);
    assertThat(limit.look()).isTrue();
    assertThat(said).isEmpty();
  }

  @Test
  void run_of_which_one_task_was_found_goes_on() {
    RunStatistics statistics = new RunStatistics(0, calls -> 0);
    EarlyEnd end =
        new EarlyEnd(
            EarlyEnd.nothingFound(statistics, () -> 1000, () -> live, "try --ship"),
            this::cancel,
            said::add);
    statistics.acceptWithoutWorker(List.of(result(1)));
    statistics.acceptWithoutWorker(Collections.nCopies(100, result(127)));

    assertThat(end.look()).isFalse();
    assertThat(said).isEmpty();
  }

  private static TaskResult result(int exitCode) {
    byte[] nothing = {};
    return new TaskResult(
        0,
        "1",
        TaskStatus.FAILED,
        exitCode,
        nothing,
        0,
        nothing,
        0,
        nothing,
        0,
        "exit code " + exitCode,
        1,
        2,
        1);
  }
}
