package io.cloudkon.client.report;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Whole reports for tests. */
final class Reports {
  private Reports() {}

  static RunFacts facts(long tasks, OptionalLong nominalMicros) {
    return new RunFacts(
        "r-7f3a",
        "0.1.0",
        "jobs",
        Consistency.EXACTLY_ONCE,
        "tasks.txt",
        "abc123",
        tasks,
        nominalMicros,
        Samples.T0,
        Samples.T0 + 2_000_000,
        Optional.empty());
  }

  /** 1,234 tasks on two workers, of which some ended in every way. */
  static RunStatistics eventful() {
    RunStatistics statistics =
        new RunStatistics(
            Samples.T0, calls -> calls.stream().mapToDouble(Calls::units).sum() * 0.4e-6);
    accept(statistics, "ip-10-0-0-1/811", 0, 1, Samples.succeeded(0, 700));
    accept(
        statistics,
        "ip-10-0-0-1/811",
        1,
        2,
        List.of(
            Samples.result(700, TaskStatus.FAILED, 3, "", "tar: no such file\n", "exit code 3", 1),
            Samples.result(
                701, TaskStatus.TIMED_OUT, 0, "", "", "no end within 30 s; it was killed", 2)));
    accept(statistics, "ip-10-0-0-2/4021", 2, 2, Samples.succeeded(702, 1231));
    statistics.acceptWithoutWorker(
        List.of(
            TaskResult.notRun(
                1231, "a\tb", TaskStatus.LOST, "its worker died after it had started", Samples.T0),
            TaskResult.notRun(1232, "1233", TaskStatus.LOST, "likewise", Samples.T0),
            TaskResult.notRun(1233, "1234", TaskStatus.CANCELLED, "cancelled", Samples.T0)));
    statistics.dropDuplicates(2);
    return statistics;
  }

  /** One job that failed on its second rank. */
  static RunStatistics withAJob() {
    RunStatistics statistics = new RunStatistics(Samples.T0, calls -> 0);
    List<TaskResult> job =
        List.of(
            Samples.job(
                0,
                TaskStatus.FAILED,
                Samples.rank(0, "w", 0, "", ""),
                Samples.rank(1, "w", 2, "", "no such mesh\n")));
    statistics.accept(Samples.batch("w", 0, 1, job), Samples.times(), job, 0);
    return statistics;
  }

  private static void accept(
      RunStatistics statistics, String worker, int sequence, int attempt, List<TaskResult> tasks) {
    statistics.accept(
        Samples.batch(
            worker,
            sequence,
            attempt,
            tasks,
            new Calls("sqs.SendMessageBatch", 1_200 + sequence, 1_500),
            new Calls("dynamodb.UpdateItem", 40, 40)),
        Samples.times(),
        tasks,
        0);
  }

  static RunReport report(RunStatistics statistics, RunFacts facts) {
    return statistics.report(
        facts, List.of(new Calls("sqs.ReceiveMessage", 77, 77)), Samples.T0 + 12_345_678);
  }
}
