package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.StartRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLimitsTest {
  private static RunnerConfig limited(int captureBytes, long maxTimeoutMillis) {
    return new RunnerConfig(
        Runs.CONFIG.allowed(),
        captureBytes,
        null,
        Runs.CONFIG.guardDeadline(),
        StartRule.AS_THE_WORKER,
        maxTimeoutMillis);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 600_000})
  void longer_or_no_time_limit_is_the_workers(long asked) throws Exception {
    try (Runs runs = new Runs(limited(100, 100))) {
      for (Work work : new Work[] {new Work.Sleep(500_000), Work.Exec.shell("sleep 500")}) {
        TaskOutcome outcome = runs.run(Tasks.timed(work, asked));

        assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
        assertThat(outcome.error())
            .isEqualTo(
                "exceeded its worker's --max-timeout of 100 ms; "
                    + (asked == 0 ? "it has no time limit of its own" : "its own limit is 10 min"));
      }
    }
  }

  @Test
  void shorter_time_limit_stays_the_tasks() throws Exception {
    try (Runs runs = new Runs(limited(100, 600_000))) {
      assertThat(runs.run(Tasks.timed(new Work.Sleep(500_000), 50)).error())
          .isEqualTo("exceeded its time limit of 50 ms");
    }
  }

  @Test
  void no_more_is_kept_than_the_worker_lets() throws Exception {
    try (Runs runs = new Runs(limited(3, 0))) {
      TaskOutcome outcome = runs.run(Tasks.shell("printf 12345"));

      assertThat(Runs.text(outcome.stdout())).isEqualTo("123");
      assertThat(outcome.stdoutBytes()).isEqualTo(5);
    }
  }
}
