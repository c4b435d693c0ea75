package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortReportTest {
  private static RunStatistics empty() {
    return new RunStatistics(Samples.T0, calls -> 0);
  }

  @Test
  void an_eventful_run_tells_all_of_it() {
    RunStatistics statistics = Reports.eventful();
    RunReport report = Reports.report(statistics, Reports.facts(1_234, OptionalLong.empty()));

    assertThat(
            ShortReport.text(
                report, statistics.failures(), Optional.of(Path.of("cloudkon-r-7f3a"))))
        .isEqualTo(
            """
            Run r-7f3a: 1,229 of 1,234 tasks succeeded

              Tasks       1,229 succeeded, 1 failed, 1 timed out, 2 lost, 1 cancelled
              Time        12.3 s, 99.9 tasks/s
              Efficiency  24.9 % of 4 slots on 2 workers
              Latency     median 120 ms, p90 120 ms, p99 120 ms, worst 120 ms
              Cost        about $0.0013 (2,480 SQS requests, 80 DynamoDB requests)
              Moved       531 tasks in 2 bundles: returned by a worker, or taken over from
                          one that stopped responding
              Retried     1 task after a failure or timeout
              Duplicates  2 results dropped: a message was duplicated, or a lease was lost

              Did not succeed (3 of 4):
                task 701 FAILED: exit code 3
                  | tar: no such file
                task 702 TIMED_OUT: no end within 30 s; it was killed
                task a    b LOST: its worker died after it had started

              Results     cloudkon-r-7f3a/ (results.jsonl, report.json)
            """);
  }

  /** The exit code was 1 beneath "all tasks succeeded", without a reason. */
  @Test
  void lines_that_were_no_tasks_are_told() {
    RunStatistics statistics = Reports.eventful();
    RunFacts facts = Reports.facts(1_234, OptionalLong.empty());
    String line = "<stdin>:2: unknown kind of task";

    RunReport one = Reports.report(statistics, facts.with(Optional.of(new RefusedLines(1, line))));
    RunReport more =
        Reports.report(statistics, facts.with(Optional.of(new RefusedLines(1_002, line))));

    assertThat(ShortReport.text(one, List.of(), Optional.empty()))
        .contains("\n  Refused     1 line (<stdin>:2: unknown kind of task)\n");
    assertThat(ShortReport.text(more, List.of(), Optional.empty()))
        .contains("\n  Refused     1,002 lines (the first: <stdin>:2: unknown kind of task)\n");
    assertThat(ReportJson.toJson(one))
        .containsPattern(
            "\"refusedLines\" *: *\\{\\s*\"count\" *: *1,\\s*\"first\" *: *\"<stdin>:2");
  }

  /** It was told to the user of a run whose tasks no rerun can read. */
  @Test
  void rerun_is_told_where_it_is_possible(@TempDir Path temp) {
    assertThat(again(temp.resolve("piped"), "-")).doesNotContain("Again");
    Path run = temp.resolve("run");
    assertThat(again(run, "tasks.txt")).contains("Again       cloudkon rerun " + run);
    Path inside = run.resolve("other");
    assertThat(again(inside, "tasks.txt")).contains("Again       cloudkon rerun " + inside);
  }

  @Test
  void rerun_of_a_rerun_names_the_first_run(@TempDir Path temp) throws IOException {
    Path run = temp.resolve("run");
    String unused = again(run, "tasks.txt");
    Path rerun = run.resolve("rerun-1");
    unused = again(rerun, "tasks.txt");
    Files.createFile(rerun.resolve("rerun"));

    assertThat(KeptOptions.rerun(rerun)).hasValue("cloudkon rerun " + run);
  }

  @Test
  void tasks_that_failed_alike_are_counted() {
    RunReport report =
        Reports.report(Reports.eventful(), Reports.facts(1_234, OptionalLong.empty()));
    TaskFailure failure = new TaskFailure("1", TaskStatus.FAILED, "exit code 1", "", List.of(), 3);

    assertThat(ShortReport.text(report, List.of(failure), Optional.empty()))
        .endsWith(
            """
              Did not succeed (3 of 4):
                task 1 FAILED: exit code 1
                  and 2 more tasks like it
            """);
  }

  @Test
  void report_of_a_rerun_ends_with_the_command_for_the_merged_results(@TempDir Path temp)
      throws IOException {
    Path run = temp.resolve("run");
    assertThat(again(run, "tasks.txt")).doesNotContain("--latest");
    Path rerun = run.resolve("rerun-1");
    String unused = again(rerun, "tasks.txt");
    Files.createFile(rerun.resolve("rerun"));
    String text =
        ShortReport.text(
            Reports.report(Reports.eventful(), Reports.facts(1_234, OptionalLong.empty())),
            List.of(),
            Optional.of(rerun));

    assertThat(text).endsWith("  Merged      cloudkon results " + run + " --latest\n");
  }

  private static String again(Path folder, String workload) {
    SampleHeader.write(
        RunFolder.choose("r", Optional.of(folder.toString()), false).recording(folder, Map.of()),
        SampleHeader.of("r", "Q", "ab".repeat(32), workload));
    return ShortReport.text(
        Reports.report(empty(), Reports.facts(2, OptionalLong.empty())),
        List.of(),
        Optional.of(folder));
  }

  @Test
  void staging_is_told_with_its_way_where_it_takes_the_slots_time() {
    RunStatistics statistics = empty();
    ResultBatch batch = Samples.batch("w", 0, 1, Samples.succeeded(0, 1));
    TaskResult staged = Samples.succeeded(0, 1).getFirst().with(new TaskUsage(5_000, 0, 0));
    statistics.accept(batch, Samples.times(), List.of(staged), 0);
    statistics.onlyLive(
        Map.of("w", new ResultBatch.WorkerId("w", 2, Samples.T0, "", "", "reused")));

    RunReport report = Reports.report(statistics, Reports.facts(1, OptionalLong.empty()));
    assertThat(report.workers().getFirst().shippedFiles()).isEqualTo("reused");
    // a share of 12.3 s of two slots that nobody would notice
    assertThat(ShortReport.text(report, List.of(), Optional.empty())).doesNotContain("Staging");

    statistics.accept(batch, Samples.times(), Collections.nCopies(100, staged), 0);
    RunReport slow = Reports.report(statistics, Reports.facts(101, OptionalLong.empty()));
    assertThat(slow.stagingShare()).isPositive();
    assertThat(ShortReport.text(slow, List.of(), Optional.empty()))
        .containsPattern(
            "Staging +[0-9.]+ % of slot time, median 5.00 ms, p99 5.00 ms \\(files reused\\)\n");
  }

  @Test
  void files_that_came_and_those_that_did_not_are_told() {
    RunStatistics statistics = empty();
    ResultBatch batch = Samples.batch("w", 0, 1, Samples.succeeded(0, 3));
    CollectedFiles some = new CollectedFiles("k", 2, 1_536, List.of(), 0, List.of(), "");
    CollectedFiles cut = new CollectedFiles("k", 1, 512, List.of(), 3, List.of(), "");
    List<TaskResult> all = Samples.succeeded(0, 3);
    statistics.accept(
        batch, Samples.times(), List.of(all.get(0).with(some), all.get(1).with(some)), 0);
    assertThat(text(statistics, 2)).contains("  Files       4 brought back (3.0 KB)\n");

    statistics.accept(
        batch,
        Samples.times(),
        List.of(all.get(2).with(cut), all.get(2).with(CollectedFiles.NONE.lost("no S3"))),
        0);
    assertThat(text(statistics, 4))
        .contains(
            """
              Files       5 brought back (3.5 KB), 3 left out or not found, none from 1
                          task; see results.jsonl
            """);
  }

  @Test
  void pattern_that_matched_nothing_is_named() {
    RunStatistics statistics = empty();
    CollectedFiles none =
        new CollectedFiles(
            "k",
            0,
            0,
            List.of(new CollectedFiles.LeftOut("*.csv", "nothing matches this pattern")),
            1,
            List.of(),
            "");
    List<TaskResult> all = Samples.succeeded(0, 2);
    ResultBatch batch = Samples.batch("w", 0, 1, all);
    statistics.accept(batch, Samples.times(), List.of(all.get(0).with(none)), 0);
    assertThat(text(statistics, 1))
        .contains(
            """
              Files       0 brought back (0 B), 1 left out or not found (*.csv: nothing
                          matches this pattern); see results.jsonl
            """);

    statistics.accept(batch, Samples.times(), List.of(all.get(1).with(none)), 0);
    assertThat(text(statistics, 2)).contains("2 left out or not found (such as *.csv:\n");
  }

  @Test
  void files_that_were_left_and_removed_are_told_with_the_option_that_keeps_them() {
    RunStatistics statistics = empty();
    CollectedFiles left =
        CollectedFiles.discarded(new CollectedFiles.Discarded(List.of("a"), 1_200));
    statistics.accept(
        Samples.batch("w", 0, 1, Samples.succeeded(0, 1)),
        Samples.times(),
        List.of(Samples.succeeded(0).with(left)),
        0);

    assertThat(text(statistics, 1))
        .contains(
            """
              Files       1,200 left by tasks and removed; --collect PATTERN brings files
                          back
            """)
        .doesNotContain("brought back");
  }

  private static String text(RunStatistics statistics, int tasks) {
    RunReport report = Reports.report(statistics, Reports.facts(tasks, OptionalLong.empty()));
    return ShortReport.text(report, List.of(), Optional.empty());
  }

  @Test
  void a_run_of_one_task_speaks_in_the_singular() {
    RunStatistics statistics = empty();
    statistics.accept(
        Samples.batch("w", 0, 1, Samples.succeeded(0, 1)),
        Samples.times(),
        Samples.succeeded(0, 1),
        0);
    RunReport report =
        statistics.report(
            Reports.facts(1, OptionalLong.of(10_000)), List.of(), Samples.T0 + 120_000);

    assertThat(ShortReport.text(report, List.of(), Optional.empty()))
        .isEqualTo(
            """
            Run r-7f3a: 1 task succeeded

              Tasks       1 succeeded
              Time        120 ms, 8.33 tasks/s
              Efficiency  4.2 % of 2 slots on 1 worker (by requested time: 4.2 %)
              Latency     median 120 ms, p90 120 ms, p99 120 ms, worst 120 ms
              Cost        nothing (no AWS requests)
            """);
  }

  @Test
  void an_interrupted_run_says_what_is_outstanding() {
    RunReport report =
        empty().report(Reports.facts(10, OptionalLong.empty()), List.of(), Samples.T0 + 900);

    assertThat(ShortReport.text(report, List.of(), Optional.empty()))
        .isEqualTo(
            """
            Run r-7f3a: 0 of 10 tasks succeeded

              Tasks       0 succeeded, 10 without a result yet
              Time        0.90 ms, 0.00 tasks/s
              Cost        nothing (no AWS requests)
            """);
  }

  @Test
  void no_line_is_wider_than_the_page_and_no_control_character_gets_through() {
    RunStatistics statistics = empty();
    statistics.acceptWithoutWorker(
        List.of(
            Samples.result(
                0,
                io.cloudkon.core.model.TaskStatus.FAILED,
                1,
                "",
                "\u001b[31mred\u001b[0m\n" + "wide ".repeat(60),
                "error ".repeat(40),
                1)));
    RunReport report =
        statistics.report(Reports.facts(1, OptionalLong.empty()), List.of(), Samples.T0 + 900);

    String text = ShortReport.text(report, statistics.failures(), Optional.empty());
    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    assertThat(text).contains("| ?[31mred?[0m").doesNotContain("\u001b");
  }

  @Test
  void print_writes_the_text() {
    RunReport report =
        empty().report(Reports.facts(0, OptionalLong.empty()), List.of(), Samples.T0 + 900);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ShortReport.print(
        new PrintStream(bytes, false, StandardCharsets.UTF_8), report, List.of(), Optional.empty());

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .startsWith("Run r-7f3a: no tasks\n")
        .isEqualTo(ShortReport.text(report, List.of(), Optional.empty()));
  }

  @Test
  void a_run_with_a_job_tells_how_its_gang_came_to_run_and_which_rank_failed() {
    RunStatistics statistics = Reports.withAJob();
    RunReport report =
        statistics.report(Reports.facts(1, OptionalLong.empty()), List.of(), Samples.T0 + 120_000);

    assertThat(ShortReport.text(report, statistics.failures(), Optional.empty()))
        .isEqualTo(
            """
            Run r-7f3a: 0 of 1 task succeeded

              Tasks       0 succeeded, 1 failed
              Time        120 ms, 8.33 tasks/s
              Efficiency  8.3 % of 2 slots on 1 worker
              Latency     median 120 ms, p90 120 ms, p99 120 ms, worst 120 ms
              HPC jobs    1
              Gang wait   median 10.0 ms, p90 10.0 ms, p99 10.0 ms, worst 10.0 ms
              Gang start  median 10.0 ms, p90 10.0 ms, p99 10.0 ms, worst 10.0 ms
              Gang run    median 10.0 ms, p90 10.0 ms, p99 10.0 ms, worst 10.0 ms
              Cost        nothing (no AWS requests)

              Did not succeed:
                task 1 FAILED: why
                  rank 1| no such mesh
            """);
  }
}
