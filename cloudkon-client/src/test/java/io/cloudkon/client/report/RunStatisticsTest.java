package io.cloudkon.client.report;

import static io.cloudkon.client.report.Samples.STEP;
import static io.cloudkon.client.report.Samples.T0;
import static io.cloudkon.client.report.Samples.at;
import static io.cloudkon.client.report.Samples.batch;
import static io.cloudkon.client.report.Samples.job;
import static io.cloudkon.client.report.Samples.rank;
import static io.cloudkon.client.report.Samples.result;
import static io.cloudkon.client.report.Samples.succeeded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RunStatisticsTest {
  private static final long SECOND = 1_000_000;
  private static final Offset<Double> CLOSE = within(1e-9);

  private final RunStatistics statistics =
      new RunStatistics(T0, calls -> calls.stream().mapToDouble(Calls::units).sum() / 1e6);

  private void accept(ResultBatch batch) {
    statistics.accept(batch, Samples.times(), batch.results(), 0);
  }

  private RunReport report(long tasks, OptionalLong nominal, Calls... clientCalls) {
    return statistics.report(
        new RunFacts(
            "r",
            "0.1.0",
            "Q",
            Consistency.EXACTLY_ONCE,
            "tasks.txt",
            "abc",
            tasks,
            nominal,
            T0 - SECOND,
            T0 + 2 * SECOND,
            Optional.empty()),
        List.of(clientCalls),
        T0 + SECOND);
  }

  private static ResultBatch.WorkerId live(String id, int slots) {
    return new ResultBatch.WorkerId(id, slots, T0);
  }

  @Test
  void time_asked_for_is_compared_only_where_every_task_ran_to_its_end() {
    accept(batch("w", 0, 1, List.of(succeeded(0), succeeded(1))));
    assertThat(report(2, OptionalLong.of(SECOND)).efficiencyNominal()).isPositive();
    assertThat(report(3, OptionalLong.of(SECOND)).efficiencyNominal()).isNull();

    statistics.acceptWithoutWorker(
        List.of(TaskResult.notRun(2, "3", TaskStatus.CANCELLED, "cancelled", T0)));
    assertThat(report(3, OptionalLong.of(SECOND)).efficiencyNominal()).isNull();
  }

  @Test
  void outputs_that_were_cut_are_counted() {
    accept(batch("w", 0, 1, List.of(succeeded(0), Samples.cut(1))));
    assertThat(report(2, OptionalLong.empty()).outputsCut()).isEqualTo(1);
  }

  @Test
  void ramps_are_what_a_client_takes_before_the_first_start_and_after_the_last_finish() {
    assertThat(report(1, OptionalLong.empty()).rampUpSeconds()).isNull();
    assertThat(report(1, OptionalLong.empty()).rampDownSeconds()).isNull();

    accept(batch("w", 0, 1, List.of(succeeded(0), succeeded(1))));

    RunReport report = report(2, OptionalLong.empty());
    assertThat(report.rampUpSeconds()).isEqualTo((at(Stamp.STARTED) - (T0 - SECOND)) / 1e6, CLOSE);
    assertThat(report.setUpSeconds()).isEqualTo((at(Stamp.SUBMITTED) - T0) / 1e6, CLOSE);
    assertThat(report.rampDownSeconds())
        .isEqualTo((T0 + 2 * SECOND - at(Stamp.FINISHED)) / 1e6, CLOSE);
  }

  @Test
  void first_start_of_a_resumed_run_was_before_this_program() {
    accept(batch("w", 0, 1, List.of(succeeded(0))));
    RunFacts late =
        new RunFacts(
            "r",
            "0.1.0",
            "Q",
            Consistency.EXACTLY_ONCE,
            "tasks.txt",
            "abc",
            1,
            OptionalLong.empty(),
            at(Stamp.FINISHED),
            T0 + SECOND,
            Optional.empty());
    assertThat(statistics.report(late, List.of(), T0 + SECOND).rampUpSeconds()).isNull();
  }

  /** The nights for which its results waited counted as time that it took. */
  @Test
  void run_that_was_collected_late_ends_with_its_last_task() {
    accept(batch("w", 0, 1, List.of(succeeded(0), succeeded(1))));
    assertThat(report(2, OptionalLong.empty()).makespanSeconds()).isEqualTo(1);

    statistics.restore(new JournalEntry.BundleRange(0, 0, 2, 0, 1, T0, 0));

    RunReport resumed = report(2, OptionalLong.empty());
    assertThat(resumed.makespanSeconds()).isEqualTo((at(Stamp.FINISHED) - T0) / 1e6, CLOSE);
    assertThat(resumed.setUpSeconds()).isNull();
    assertThat(resumed.rampUpSeconds()).isNull();
  }

  /** A resumed client took a day's results for the speed of its first second. */
  @Test
  void results_from_before_a_resume_are_earlier_ones() {
    RunStatistics resumed = new RunStatistics(at(Stamp.FINISHED) + 1, calls -> 0);
    resumed.restore(new JournalEntry.BundleRange(0, 0, 3, 0, 1, T0, 0));
    ResultBatch batch = batch("w", 0, 1, List.of(succeeded(0), succeeded(1)));

    resumed.accept(batch, Samples.times(), batch.results(), 0);
    assertThat(resumed.earlier()).isEqualTo(2);
    resumed.accept(batch, Samples.times(), List.of(succeeded(2)), -SECOND);
    assertThat(resumed.done()).isEqualTo(3);
    assertThat(resumed.earlier()).as("the worker's clock is behind").isEqualTo(2);

    accept(batch);
    assertThat(statistics.earlier()).as("of a new run").isZero();
  }

  @Test
  void rate_leaves_out_cancelled_tasks() {
    accept(batch("w", 0, 1, List.of(succeeded(0), result(1, TaskStatus.FAILED, 1, "", "", "", 1))));
    statistics.acceptWithoutWorker(
        List.of(TaskResult.notRun(2, "3", TaskStatus.CANCELLED, "cancelled", T0)));

    assertThat(report(3, OptionalLong.empty()).tasksPerSecond()).isEqualTo(2);
  }

  @Test
  void statuses_are_counted_one_by_one() {
    accept(
        batch(
            "w",
            0,
            1,
            List.of(
                succeeded(0),
                result(1, TaskStatus.FAILED, 1, "", "", "e", 1),
                result(2, TaskStatus.TIMED_OUT, 0, "", "", "e", 3))));
    statistics.acceptWithoutWorker(
        List.of(
            TaskResult.notRun(3, "4", TaskStatus.LOST, "its worker died", T0),
            TaskResult.notRun(4, "5", TaskStatus.CANCELLED, "cancelled", T0)));
    statistics.dropDuplicates(7);

    RunReport report = report(6, OptionalLong.empty());
    assertThat(report.succeeded()).isEqualTo(1);
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.timedOut()).isEqualTo(1);
    assertThat(report.lost()).isEqualTo(1);
    assertThat(report.cancelled()).isEqualTo(1);
    assertThat(report.outstanding()).isEqualTo(1);
    assertThat(report.retried()).isEqualTo(1);
    assertThat(report.duplicatesDropped()).isEqualTo(7);
    assertThat(report.notSucceeded()).isEqualTo(4);
    assertThat(statistics.done()).isEqualTo(5);
    assertThat(statistics.notSucceeded()).isEqualTo(4);
    assertThat(statistics.count(TaskStatus.LOST)).isEqualTo(1);
  }

  @Test
  void only_fresh_results_of_a_message_count() {
    ResultBatch batch = batch("w", 0, 1, succeeded(0, 10));

    statistics.accept(batch, Samples.times(), batch.results().subList(0, 4), 0);
    statistics.accept(batch, Samples.times(), List.of(), 0);

    assertThat(statistics.done()).isEqualTo(4);
    assertThat(report(10, OptionalLong.empty()).workers().getFirst().tasks()).isEqualTo(4);
  }

  @Test
  void later_attempts_are_reruns() {
    accept(batch("a", 0, 1, succeeded(0, 5)));
    accept(batch("b", 1, 2, succeeded(5, 8)));
    accept(batch("b", 1, 2, succeeded(8, 10)));
    accept(batch("b", 2, 3, succeeded(10, 11)));
    accept(
        batch("b", 3, 2, List.of(TaskResult.notRun(11, "12", TaskStatus.LOST, "worker died", T0))));

    RunReport report = report(12, OptionalLong.empty());
    assertThat(report.reruns()).isEqualTo(6);
    assertThat(report.bundlesTakenOver()).isEqualTo(2);
  }

  @Test
  void efficiency_is_run_time_over_the_slot_seconds_of_the_workers() {
    accept(batch("a", 0, 1, succeeded(0, 100)));
    accept(batch("b", 1, 1, succeeded(100, 200)));

    RunReport report = report(200, OptionalLong.of(SECOND));
    assertThat(report.makespanSeconds()).isEqualTo(1);
    assertThat(report.tasksPerSecond()).isEqualTo(200);
    assertThat(report.efficiency()).isEqualTo(200 * STEP / 1e6 / 4, CLOSE);
    assertThat(report.efficiencyNominal()).isEqualTo(0.25, CLOSE);
  }

  @Test
  void a_worker_that_is_gone_counts_until_its_last_message() {
    accept(batch("a", 0, 1, succeeded(0, 1)));
    accept(batch("b", 1, 1, succeeded(1, 2)));
    statistics.onlyLive(Map.of("a", live("a", 2), "stranger", live("stranger", 8)));

    RunReport report = report(2, OptionalLong.empty());
    double heard = report.workers().get(1).lifeSeconds();
    assertThat(report.workers().get(0).lifeSeconds()).isEqualTo(1.0);
    assertThat(heard).isPositive().isLessThan(1.0);
    assertThat(report.efficiency()).isEqualTo(2 * STEP / 1e6 / (2 + 2 * heard), CLOSE);
    assertThat(report.efficiencyNominal()).isNull();
  }

  @Test
  void a_worker_that_started_within_the_run_counts_from_then_on_the_clients_clock() {
    ResultBatch batch =
        new ResultBatch(
            "r",
            "e",
            "r/e/0",
            new ResultBatch.WorkerId("w", 2, T0 + SECOND / 2 + 9 * SECOND),
            1,
            "n",
            new ResultBatch.BundleStamps(0, 0, 0, 0, 0),
            succeeded(0, 1),
            List.of(),
            "");

    statistics.accept(batch, Samples.times(), batch.results(), 9 * SECOND);

    RunReport.Worker worker = report(1, OptionalLong.empty()).workers().getFirst();
    assertThat(worker.lifeSeconds()).isEqualTo(0.5);
    assertThat(worker.clockOffsetMillis()).isEqualTo(9_000);
  }

  @Test
  void latency_and_stages_come_from_the_stamps() {
    accept(batch("w", 0, 1, succeeded(0, 50)));

    RunReport report = report(50, OptionalLong.empty());
    Offset<Double> threeDigits = within(0.2);
    assertThat(report.latencyMillis().p50()).isEqualTo(120, threeDigits);
    assertThat(report.latencyMillis().max()).isEqualTo(120, threeDigits);
    assertThat(report.stageMillis()).hasSize(Stage.values().length);
    assertThat(report.stageMillis().get(Stage.QUEUE).p99()).isEqualTo(10, threeDigits);
    assertThat(report.stageMillis().get(Stage.RUN).p50()).isEqualTo(10, threeDigits);
    assertThat(report.stageMillis().get(Stage.EXECUTE).p50()).isEqualTo(50, threeDigits);
  }

  @Test
  void what_did_not_run_has_no_stages() {
    ResultBatch batch =
        batch("w", 0, 1, List.of(TaskResult.notRun(0, "1", TaskStatus.CANCELLED, "cancelled", T0)));
    accept(batch);

    assertThat(report(1, OptionalLong.empty()).latencyMillis().max()).isZero();
  }

  @Test
  void calls_of_workers_are_cumulative_and_those_of_processes_add_up() {
    accept(batch("a", 0, 1, succeeded(0, 1), new Calls("sqs.ReceiveMessage", 5, 5)));
    accept(batch("a", 1, 1, succeeded(1, 2), new Calls("sqs.ReceiveMessage", 9, 9)));
    accept(batch("a", 2, 1, succeeded(2, 3), new Calls("sqs.ReceiveMessage", 7, 7)));
    accept(batch("b", 3, 1, succeeded(3, 4), new Calls("dynamodb.UpdateItem", 2, 4)));

    RunReport report =
        report(
            4,
            OptionalLong.empty(),
            new Calls("sqs.SendMessageBatch", 3, 6),
            new Calls("sqs.ReceiveMessage", 1, 1));
    assertThat(report.calls().get("sqs"))
        .containsEntry("ReceiveMessage", 10L)
        .containsEntry("SendMessageBatch", 3L);
    assertThat(report.calls().get("dynamodb")).containsEntry("UpdateItem", 2L);
    assertThat(report.calls().get("s3")).isEmpty();
    assertThat(report.callsTo("sqs")).isEqualTo(13);
    assertThat(report.callsTo("ec2")).isZero();
    assertThat(report.costUsd()).isEqualTo(20e-6, CLOSE);
    assertThat(report.callCostsUsd().get("sqs").get("SendMessageBatch")).isEqualTo(6e-6, CLOSE);
  }

  @Test
  void the_first_three_failures_are_kept_with_the_end_of_their_stderr() {
    String stderr = "one\ntwo\nthree\nfour\nfive\nsix\n\n";
    for (int i = 0; i < 5; i++) {
      accept(batch("w", i, 1, List.of(result(i, TaskStatus.FAILED, 1, "", stderr, "exit 1", 1))));
    }
    statistics.acceptWithoutWorker(
        List.of(TaskResult.notRun(9, "9", TaskStatus.CANCELLED, "cancelled", T0)));

    assertThat(statistics.failures())
        .hasSize(3)
        .first()
        .isEqualTo(
            new TaskFailure(
                "1", TaskStatus.FAILED, "exit 1", List.of("two", "three", "four", "five", "six")));
  }

  @Test
  void a_run_without_results_has_a_report() {
    RunReport report = report(0, OptionalLong.of(0));

    assertThat(report.efficiency()).isZero();
    assertThat(report.efficiencyNominal()).isNull();
    assertThat(report.workers()).isEmpty();
  }

  @Test
  void job_counts_as_its_ranks_times_its_time_where_they_ran() {
    accept(
        batch(
            "manager",
            0,
            1,
            List.of(
                job(
                    0,
                    TaskStatus.SUCCEEDED,
                    rank(0, "manager", 0, "", ""),
                    rank(1, "manager", 0, "", ""),
                    rank(2, "sub", 0, "", "")))));
    statistics.onlyLive(Map.of("manager", live("manager", 2), "sub", live("sub", 4)));

    RunReport report = report(1, OptionalLong.empty());
    assertThat(report.workers()).extracting(RunReport.Worker::id).containsExactly("manager", "sub");
    assertThat(report.workers()).extracting(RunReport.Worker::tasks).containsExactly(1L, 0L);
    assertThat(report.workers()).extracting(RunReport.Worker::slots).containsExactly(2, 4);
    assertThat(report.workers().getFirst().busySeconds()).isEqualTo(2 * STEP / 1e6, CLOSE);
    double slotSeconds = 2 * 1.0 + 4 * report.workers().getLast().lifeSeconds();
    assertThat(report.efficiency()).isEqualTo(3 * STEP / 1e6 / slotSeconds, CLOSE);
  }

  @Test
  void worker_of_which_only_ranks_are_known_has_as_many_slots_at_least() {
    accept(
        batch(
            "manager",
            0,
            1,
            List.of(
                job(
                    0,
                    TaskStatus.SUCCEEDED,
                    rank(0, "sub", 0, "", ""),
                    rank(1, "sub", 0, "", ""),
                    rank(2, "sub", 0, "", "")))));

    assertThat(report(1, OptionalLong.empty()).workers().getLast().slots()).isEqualTo(3);
  }

  @Test
  void gangs_have_their_wait_start_and_run_time_and_tasks_have_none() {
    accept(batch("w", 0, 1, succeeded(0, 5)));
    assertThat(report(6, OptionalLong.empty()).gangs()).isNull();

    accept(batch("w", 1, 1, List.of(job(5, TaskStatus.SUCCEEDED, rank(0, "w", 0, "", "")))));
    RunReport.Gangs gangs = report(6, OptionalLong.empty()).gangs();
    assertThat(gangs.count()).isEqualTo(1);
    assertThat(gangs.waitMillis().max()).isCloseTo(10, within(0.1));
    assertThat(gangs.startMillis().p50()).isCloseTo(10, within(0.1));
    assertThat(gangs.runMillis().p99()).isCloseTo(10, within(0.1));
  }

  @Test
  void failed_job_shows_the_rank_that_failed_before_those_that_were_killed_for_it() {
    accept(
        batch(
            "w",
            0,
            1,
            List.of(
                job(
                    0,
                    TaskStatus.FAILED,
                    rank(0, "w", 0, "", "fine"),
                    rank(1, "w", 143, "", "terminated"),
                    rank(2, "w", 1, "", "segment\nmissing")))));

    assertThat(statistics.failures())
        .containsExactly(
            new TaskFailure(
                "1", TaskStatus.FAILED, "why", "rank 2", List.of("segment", "missing")));
  }
}
