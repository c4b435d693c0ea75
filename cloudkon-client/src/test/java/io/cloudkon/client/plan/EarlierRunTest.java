package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SampleHeader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierRunTest {
  private static final Task WORDS = new Task(0, "1", Work.Exec.shell("./words a"), 0);
  private static final Task SHA = new Task(1, "2", new Work.JavaCall("sha256", List.of("x")), 0);

  @TempDir Path folder;
  private Path workload;
  private Path run;

  @BeforeEach
  void aRunOfTwoSorts() throws IOException {
    workload = folder.resolve("tasks.txt");
    Files.writeString(workload, "exec ./words a\njava sha256 x\n");
    run = folder.resolve("run");
    Files.createDirectory(run);
    Files.writeString(
        run.resolve("results.jsonl"),
        line(0, "SUCCEEDED", 1_000_000, 1_300_000)
            + line(1, "FAILED", 1_000_000, 1_002_000)
            + line(0, "LOST", 0, 0)
            + line(1, "CANCELLED", 0, 0));
  }

  private static String line(int index, String status, long started, long finished) {
    return "{\"task\":\"%d\",\"index\":%d,\"status\":\"%s\",\"exitCode\":0,\"worker\":\"w\",\"attempt\":1,\"tries\":1,\"stamps\":{\"started\":%d,\"finished\":%d}}\n"
        .formatted(index + 1, index, status, started, finished);
  }

  @Test
  void time_in_which_a_slot_prepared_files_counts() throws IOException {
    Files.writeString(
        run.resolve("results.jsonl"),
        line(0, "SUCCEEDED", 1_000_000, 1_300_000)
            .replace("\"started\"", "\"stageBegun\":900000,\"started\""));
    journal(digest());

    assertThat(micros(read(workload), WORDS)).contains(400_000L);
  }

  private Workload open(Path file) {
    return Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
  }

  private void journal(String digest) {
    Path old = run.resolveSibling("made");
    SampleHeader.write(
        RunFolder.choose("r", Optional.of(old.toString()), false),
        SampleHeader.of("r", "Q", digest, workload.toString()));
    try {
      Files.move(old.resolve("journal"), run.resolve("journal"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private EarlierRun read(Path now) {
    try (Workload tasks = open(now)) {
      return EarlierRun.read(run, tasks, new SplittableRandom(1));
    }
  }

  private String digest() {
    try (Workload tasks = open(workload)) {
      return tasks.summary().orElseThrow().sha256();
    }
  }

  private static Optional<Long> micros(EarlierRun run, Task task) {
    return run.draw(task, new SplittableRandom(3));
  }

  @Test
  void same_workload_gives_each_sort_its_times() {
    journal(digest());
    EarlierRun read = read(workload);

    assertThat(read.sorted()).isTrue();
    assertThat(micros(read, WORDS)).contains(300_000L);
    assertThat(micros(read, SHA)).contains(2_000L);
    assertThat(micros(read, new Task(0, "1", Work.Exec.shell("other"), 0))).isEmpty();
  }

  @Test
  void other_workload_is_told_apart_by_the_earlier_one_where_that_is_unchanged()
      throws IOException {
    journal(digest());
    Path other = folder.resolve("other.txt");
    Files.writeString(other, "java sha256 y\n");
    assertThat(micros(read(other), SHA)).contains(2_000L);

    Files.writeString(workload, "java sha256 changed\n");
    assertThat(read(other).sorted()).isFalse();
  }

  @Test
  void workload_that_is_kept_in_the_runs_folder_is_found_where_that_is() throws IOException {
    workload = folder.resolve("workload.jsonl");
    Files.writeString(
        workload, "{\"exec\":[\"./words\",\"a\"]}\n{\"java\":\"sha256\",\"args\":[\"x\"]}\n");
    journal(digest());
    Files.move(workload, run.resolve("workload.jsonl"));
    Path other = folder.resolve("other.txt");
    Files.writeString(other, "java sha256 y\n");

    assertThat(micros(read(other), SHA)).contains(2_000L);
  }

  @Test
  void results_alone_give_all_tasks_the_same_times() {
    EarlierRun read = read(workload);

    assertThat(read.sorted()).isFalse();
    assertThat(micros(read, SHA)).get().isIn(2_000L, 300_000L);
  }

  @Test
  void folder_without_results_or_without_tasks_that_ran_is_refused() throws IOException {
    Files.writeString(run.resolve("results.jsonl"), line(0, "LOST", 0, 0));
    assertThatThrownBy(() -> read(workload))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no task has run there");

    Files.delete(run.resolve("results.jsonl"));
    assertThatThrownBy(() -> read(workload))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("there is no results.jsonl in it");
  }
}
