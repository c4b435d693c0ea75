package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsReaderTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() {
    path = folder.resolve("results.jsonl");
    try (ResultsFile file = ResultsFile.create(path)) {
      file.accept(Samples.times(), "w", 1, Samples.succeeded(7), 0);
      file.accept(
          Samples.times(),
          "w2",
          2,
          Samples.result(3, TaskStatus.FAILED, 3, "x".repeat(300_000), "oh\nno", "exit code 3", 4),
          0);
    }
  }

  private List<ResultRecord> read() {
    List<ResultRecord> lines = new ArrayList<>();
    ResultsReader.read(path, lines::add);
    return lines;
  }

  @Test
  void an_output_that_was_cut_is_known_by_its_line() {
    try (ResultsFile file = ResultsFile.create(folder.resolve("cut.jsonl"))) {
      file.accept(Samples.times(), "w", 1, Samples.cut(1), 0);
    }
    List<ResultRecord> lines = new ArrayList<>();
    ResultsReader.read(folder.resolve("cut.jsonl"), lines::add);
    assertThat(lines).hasSize(1).allMatch(ResultRecord::outputCut);
    assertThat(read()).noneMatch(ResultRecord::outputCut);
  }

  @Test
  void files_that_a_task_left_are_named_and_counted() throws IOException {
    path = folder.resolve("left.jsonl");
    try (ResultsFile file = ResultsFile.create(path)) {
      CollectedFiles files =
          CollectedFiles.discarded(new CollectedFiles.Discarded(List.of("logs", "out.txt"), 7));
      file.accept(Samples.times(), "w", 1, Samples.succeeded(0).with(files), 0);
    }

    assertThat(Files.readString(path))
        .contains(
            ",\"files\":{\"count\":0,\"bytes\":0,\"discardedCount\":7,\"discarded\":[\"logs\",\"out.txt\"]}");
    assertThat(read())
        .singleElement()
        .extracting(ResultRecord::files)
        .isEqualTo(new FileCounts(0, 0, 0, 0, 7, ""));
  }

  @Test
  void first_file_that_was_left_out_is_read_back() {
    path = folder.resolve("out.jsonl");
    List<CollectedFiles.LeftOut> left =
        List.of(new CollectedFiles.LeftOut("*.csv", "none"), new CollectedFiles.LeftOut("b", "no"));
    CollectedFiles files = new CollectedFiles("k", 1, 5, left, 2, List.of(), "");
    try (ResultsFile file = ResultsFile.create(path)) {
      file.accept(Samples.times(), "w", 1, Samples.succeeded(0).with(files), 0);
    }

    assertThat(read())
        .singleElement()
        .extracting(ResultRecord::files)
        .isEqualTo(new FileCounts(1, 5, 2, 0, 0, "*.csv: none"))
        .isEqualTo(FileCounts.of(files));
  }

  @Test
  void lines_are_read_back_as_far_as_a_resume_needs_them() {
    assertThat(read()).hasSize(2);
    ResultRecord first = read().getFirst();
    ResultRecord second = read().getLast();
    assertThat(first.index()).isEqualTo(7);
    assertThat(first.task()).isEqualTo("8");
    assertThat(first.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(first.times()).isEqualTo(Samples.times());
    assertThat(first.at(Stamp.STARTED)).isEqualTo(Samples.at(Stamp.STARTED));
    assertThat(second.index()).isEqualTo(3);
    assertThat(second.error()).isEqualTo("exit code 3");
    assertThat(second.stderr()).isEqualTo("oh\nno");
    assertThat(second.worker()).isEqualTo("w2");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.tries()).isEqualTo(4);
  }

  @Test
  void file_cut_anywhere_is_read_up_to_its_last_whole_line() throws IOException {
    byte[] whole = Files.readAllBytes(path);
    int first = Files.readString(path).indexOf('\n') + 1;
    for (int length : new int[] {0, 1, first - 1, first, first + 1, whole.length - 1}) {
      Files.write(path, Arrays.copyOf(whole, length));
      assertThat(read()).as("cut at %d", length).hasSize(length < first ? 0 : 1);
      assertThat(ResultsReader.read(path, line -> {})).isEqualTo(length < first ? 0 : first);
    }
  }

  @Test
  void what_never_came_to_be_on_disk_is_cut_off_with_what_follows() throws IOException {
    long whole = Files.size(path);
    Files.write(path, new byte[500], StandardOpenOption.APPEND);
    Files.writeString(path, "\n{\"task\":\"9\",\"index\":8}\n", StandardOpenOption.APPEND);

    assertThat(read()).hasSize(2);
    assertThat(ResultsReader.read(path, line -> {})).isEqualTo(whole);
    ResultsFile.append(path, whole).close();
    assertThat(path).hasSize(whole);
  }

  @Test
  void line_that_somebody_else_damaged_is_named() throws IOException {
    Files.writeString(path, Files.readString(path).replaceFirst("\"index\":7", "\"indx\":7"));

    assertThatThrownBy(this::read)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("line 1 is not a result");
  }

  @Test
  void no_file_has_no_results() {
    assertThat(ResultsReader.read(folder.resolve("none"), line -> {})).isZero();
  }

  @Test
  void statistics_go_on_from_what_was_read() {
    RunStatistics before = new RunStatistics(Samples.T0, calls -> 0);
    read().forEach(before::restore);
    before.restore(new JournalEntry.BundleRange(0, 0, 3, 0, 1, Samples.T0, 0));
    before.restore(new JournalEntry.BundleRange(1, 3, 5, 9, 4, Samples.T0, 0));

    assertThat(before.done()).isEqualTo(2);
    assertThat(before.notSucceeded()).isEqualTo(1);
    assertThat(before.count(TaskStatus.SUCCEEDED)).isEqualTo(1);
    assertThat(before.failures())
        .containsExactly(
            new TaskFailure("4", TaskStatus.FAILED, "exit code 3", List.of("oh", "no")));
    RunReport report =
        before.report(
            Reports.facts(2, java.util.OptionalLong.empty()), List.of(), Samples.T0 + 1_000_000);
    assertThat(report.latencyMillis().max()).isGreaterThan(0);
    assertThat(report.reruns()).isEqualTo(1);
    assertThat(report.bundlesTakenOver()).isEqualTo(1);
    assertThat(report.retried()).isEqualTo(1);
    assertThat(report.workers()).hasSize(2);
  }

  @Test
  void ranks_of_a_job_are_read_back_without_what_they_printed() throws IOException {
    try (ResultsFile file = ResultsFile.create(path)) {
      file.accept(
          Samples.times(),
          "w",
          1,
          Samples.job(
              0,
              TaskStatus.FAILED,
              Samples.rank(0, "a", 137, "out", "killed"),
              Samples.rank(1, "b", 3, "out", "oh\nno")),
          0);
      file.accept(
          Samples.times(),
          "w",
          1,
          Samples.job(1, TaskStatus.SUCCEEDED, Samples.rank(0, "a", 0, "out", "warning")),
          0);
    }
    List<RankResult> failed = read().getFirst().ranks();
    assertThat(failed).extracting(RankResult::rank).containsExactly(0, 1);
    assertThat(failed).extracting(RankResult::worker).containsExactly("a", "b");
    assertThat(failed).extracting(RankResult::exitCode).containsExactly(137, 3);
    assertThat(failed.getLast().stderr()).asString().isEqualTo("oh\nno");
    assertThat(failed.getLast().stdout()).isEmpty();
    assertThat(read().getLast().ranks().getFirst().stderr()).isEmpty();

    RunStatistics after = new RunStatistics(Samples.T0, calls -> 0);
    read().forEach(after::restore);
    assertThat(after.failures())
        .containsExactly(
            new TaskFailure("1", TaskStatus.FAILED, "why", "rank 1", List.of("oh", "no")));
    RunReport report =
        after.report(
            Reports.facts(2, java.util.OptionalLong.empty()), List.of(), Samples.T0 + 1_000_000);
    assertThat(report.gangs()).extracting(RunReport.Gangs::count).isEqualTo(2L);
  }
}
