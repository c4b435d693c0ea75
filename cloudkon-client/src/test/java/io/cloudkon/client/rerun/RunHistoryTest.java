package io.cloudkon.client.rerun;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.answers.AnswerFormat;
import io.cloudkon.client.answers.Choice;
import io.cloudkon.client.answers.FinishedRun;
import io.cloudkon.client.answers.TaskOutput;
import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalFile;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of five tasks: the second failed, the third was lost, the fourth has its own id. */
class RunHistoryTest {
  private static final String WORKLOAD =
      """
      {"exec": ["echo", "é"], "env": {"A": "b"}}
      {"shell": "exit 3", "retries": 2}
      {"sleep": 5, "timeout": "30s"}

      {"id": "x", "noop": true}
      {"java": "echo", "args": ["1"]}
      """;

  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void run() throws IOException {
    folder = temp.resolve("out");
    made(folder, header("LOCAL", "e1"), true);
    results(
        folder,
        line("2", 1, TaskStatus.FAILED, "no"),
        line("1", 0, TaskStatus.SUCCEEDED, "é"),
        line("x", 3, TaskStatus.SUCCEEDED, ""),
        line("3", 2, TaskStatus.LOST, ""),
        line("6", 4, TaskStatus.TIMED_OUT, ""));
  }

  private static RunHeader header(String queue, String epoch) {
    return new RunHeader(
        "r1",
        epoch,
        Consistency.EXACTLY_ONCE,
        ClaimScope.BUNDLE,
        "c",
        queue,
        "d1",
        "/tasks.jsonl",
        5,
        1000,
        0,
        0,
        List.of(new Content("11", 3, "data"), new Content("22", 3, "fit.py")));
  }

  private static void made(Path folder, RunHeader header, boolean ended, JournalEntry... sent)
      throws IOException {
    RunFolder made = RunFolder.choose("r1", Optional.of(folder.toString()), Files.exists(folder));
    made.prepare();
    try (Journal journal = made.openJournal()) {
      journal.append(List.of(header));
      journal.append(List.of(sent));
      if (ended) {
        journal.append(List.of(new JournalEntry.Ended()));
      }
    }
  }

  private static void results(Path folder, String... lines) throws IOException {
    Files.write(folder.resolve("results.jsonl"), List.of(lines));
  }

  private static String line(String id, int index, TaskStatus status, String stdout) {
    return "{\"task\":\"%s\",\"index\":%d,\"status\":\"%s\",\"error\":\"\",\"stdout\":\"%s\",\"worker\":\"w\",\"attempt\":1,\"tries\":1,\"stamps\":{}}"
        .formatted(id, index, status, stdout);
  }

  private Workload workload() throws IOException {
    Path file = Files.writeString(temp.resolve("tasks.jsonl"), WORKLOAD);
    return Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
  }

  private BitSet chosen(TaskSelection selection) throws IOException {
    try (Workload workload = workload()) {
      return selection.among(RunHistory.of(folder), workload).tasks();
    }
  }

  /** A rerun of these tasks, in its folder. */
  private Path rerun(BitSet chosen, boolean ended, String... lines) throws IOException {
    RunHistory history = RunHistory.of(folder);
    Path next = history.next();
    made(next, header("LOCAL", "e2"), ended);
    RerunFile.of(history.header(), chosen).copy().writeTo(next.resolve(RerunFile.NAME));
    results(next, lines);
    return next;
  }

  private static TaskSelection.Selected selected(int... indexes) {
    return new TaskSelection.Selected(bits(indexes), 0, false);
  }

  private static BitSet bits(int... indexes) {
    BitSet bits = new BitSet();
    for (int index : indexes) {
      bits.set(index);
    }
    return bits;
  }

  /** As of a service whose workload was removed. */
  @Test
  void rerun_is_found_though_the_number_of_the_runs_tasks_is_lost() throws IOException {
    Path next = rerun(bits(1, 4), true);
    RunHeader unknown = header("LOCAL", "e1").with(-1);

    assertThat(RerunFile.read(next, unknown)).hasValue(new int[] {1, 4});
    Path file = next.resolve(RerunFile.NAME);
    Files.writeString(file, Files.readString(file).replace(" 2\n", " 2000000000\n"));
    assertThatThrownBy(() -> RerunFile.read(next, unknown))
        .isInstanceOf(LocalFileException.class)
        .hasMessageContaining("it is cut off");
  }

  @Test
  void what_did_not_succeed_is_chosen_or_what_is_asked_for() throws IOException {
    assertThat(chosen(TaskSelection.of(false, false, List.of()))).isEqualTo(bits(1, 2, 4));
    assertThat(chosen(TaskSelection.of(true, false, List.of()))).isEqualTo(bits(1, 4));
    assertThat(chosen(TaskSelection.of(false, true, List.of()))).isEqualTo(bits(2));
    assertThat(chosen(TaskSelection.of(false, true, List.of("x", "1")))).isEqualTo(bits(0, 2, 3));
    assertThat(chosen(TaskSelection.of(false, false, List.of("6")))).isEqualTo(bits(4));
    assertThatThrownBy(() -> chosen(TaskSelection.of(false, false, List.of("6", "4"))))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--task 4: run 'r1' has no such task");
  }

  @Test
  void tasks_that_may_have_run_already_are_counted() throws IOException {
    try (Workload workload = workload()) {
      assertThat(lost(workload, false, true)).isEqualTo(1);
      assertThat(lost(workload, false, false, "1", "3")).isEqualTo(1);
      assertThat(lost(workload, true, false)).isZero();

      for (String queue : List.of("LOCAL", "Q")) {
        folder = temp.resolve("left-" + queue);
        made(
            folder,
            header(queue, "e1"),
            false,
            new JournalEntry.BundleRange(1, 0, 2, 0, 1, 1),
            new JournalEntry.BundleRange(2, 2, 1, 0, 3, 1));
        results(folder, line("1", 0, TaskStatus.SUCCEEDED, "é"));
        assertThat(lost(workload, false, false)).as("of four, two were sent").isEqualTo(2);
      }
    }
  }

  @Test
  void task_that_only_a_rerun_sent_may_have_run() throws IOException {
    folder = temp.resolve("left");
    made(folder, header("LOCAL", "e1"), false);
    results(folder);
    Path next = RunHistory.of(folder).next();
    made(next, header("LOCAL", "e2"), false, new JournalEntry.BundleRange(1, 1, 1, 0, 1, 1));
    RerunFile.of(RunHistory.of(folder).header(), bits(1, 3))
        .copy()
        .writeTo(next.resolve(RerunFile.NAME));
    results(next);

    try (Workload workload = workload()) {
      assertThat(lost(workload, false, false)).isEqualTo(1);
      assertThat(lost(workload, false, false, "x")).isEqualTo(1);
      assertThat(lost(workload, false, false, "2")).isZero();
    }
  }

  /** After Ctrl-C, all tasks that had been sent were said to have run perhaps. */
  @Test
  void of_an_interrupted_run_on_this_machine_those_that_ran_then_are_to_be_checked()
      throws IOException {
    folder = temp.resolve("interrupted");
    made(folder, header("LOCAL", "e1"), false, new JournalEntry.BundleRange(1, 0, 5, 0, 1, 1));
    results(folder);

    assertThat(mayHaveRun("1", "3", "x")).as("its client died").startsWith("3 tasks LOST");
    Files.createFile(folder.resolve("report.json"));
    assertThat(mayHaveRun("1", "3", "x"))
        .isEqualTo(
            "3 tasks without a result: check those that were running when the run was interrupted,"
                + " as they may have taken effect");
    assertThat(mayHaveRun("1", "2", "3")).as("2 has retries").startsWith("3 tasks LOST");
  }

  private String mayHaveRun(String... ids) throws IOException {
    RunHistory history = RunHistory.of(folder);
    try (Workload workload = workload()) {
      TaskSelection.Selected selected =
          TaskSelection.of(false, false, List.of(ids)).among(history, workload);
      return new Rerun(history, workload, selected).mayHaveRun().orElse("");
    }
  }

  private int lost(Workload workload, boolean failed, boolean lost, String... ids)
      throws IOException {
    return TaskSelection.of(failed, lost, List.of(ids))
        .among(RunHistory.of(folder), workload)
        .lost();
  }

  @Test
  void lines_are_the_same_tasks_with_the_same_ids() throws IOException {
    try (Workload workload = workload()) {
      Rerun rerun = new Rerun(RunHistory.of(folder), workload, selected(0, 1, 2, 3));
      try (InputStream lines = rerun.lines()) {
        assertThat(new String(lines.readAllBytes(), UTF_8))
            .isEqualTo(
                """
                {"id":"1","exec":["echo","é"],"env":{"A":"b"}}
                {"id":"2","shell":"exit 3","retries":2}
                {"id":"3","sleep":5,"timeout":30000}
                {"id":"x","noop":true}
                """);
      }
      assertThat(rerun.tasks()).isEqualTo(4);
    }
  }

  @Test
  void later_rerun_goes_by_what_the_former_one_left() throws IOException {
    Path first =
        rerun(
            bits(1, 2, 4),
            true,
            line("3", 1, TaskStatus.SUCCEEDED, "late"),
            line("2", 0, TaskStatus.FAILED, "again"),
            line("6", 2, TaskStatus.SUCCEEDED, ""));
    assertThat(first).isEqualTo(folder.resolve("rerun-1"));
    assertThat(chosen(TaskSelection.of(false, false, List.of()))).isEqualTo(bits(1));

    rerun(bits(1), true, line("2", 0, TaskStatus.SUCCEEDED, "now"));
    assertThatThrownBy(() -> chosen(TaskSelection.of(false, false, List.of())))
        .isInstanceOf(UsageException.class)
        .hasMessage("nothing to rerun: all tasks of run 'r1' have succeeded by now");
    assertThat(latest())
        .isEqualTo("task\tindex\tstdout\n1\t0\té\n2\t1\tnow\n3\t2\tlate\nx\t3\t\n6\t4\t\n");
    assertThat(text("2", true)).isEqualTo("now");
    assertThat(text("3", true)).isEqualTo("late");
    assertThat(text("1", true)).isEqualTo("é");
    assertThat(text("2", false)).isEqualTo("no");
  }

  @Test
  void task_that_a_cancelled_rerun_never_began_keeps_its_result() throws IOException {
    Path unused = rerun(bits(1), true, line("2", 0, TaskStatus.FAILED, "again"));
    Path cancelled =
        rerun(
            bits(1),
            true,
            line("2", 0, TaskStatus.CANCELLED, "").replace("\"worker\":\"w\"", "\"worker\":\"\""));
    assertThat(cancelled).isEqualTo(folder.resolve("rerun-2"));

    assertThat(chosen(TaskSelection.of(true, false, List.of())).get(1)).isTrue();
    assertThat(latest()).contains("2\t1\tagain\n");
    assertThat(text("2", true)).isEqualTo("again");
  }

  @Test
  void output_of_a_run_with_reruns_says_so_and_how_to_see_theirs() throws IOException {
    rerun(bits(1), true, line("2", 0, TaskStatus.SUCCEEDED, "now"));

    assertThat(notes("/2", false))
        .containsExactly("the run has reruns; --latest includes their results");
    assertThat(notes("/2", true)).isEmpty();
    assertThat(notes("", false))
        .containsExactly("the run has reruns; --latest includes their results");
    assertThat(notes("", true)).isEmpty();
  }

  private List<String> notes(String task, boolean latest) {
    return TaskOutput.each(folder + task, false, latest, output -> {});
  }

  private String latest() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Choice choice = Choice.of(false, Optional.empty(), "index", Optional.of("task,index,stdout"));
    new FinishedRun(folder)
        .write(choice, AnswerFormat.TSV, true, out, OptionalInt.empty(), line -> {});
    return out.toString(UTF_8);
  }

  private String text(String task, boolean latest) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TaskOutput.of(folder + "/" + task, false, latest).writeTo(out);
    return out.toString(UTF_8);
  }

  @Test
  void run_that_was_submitted_anew_has_no_reruns_yet() throws IOException {
    rerun(bits(1), true, line("2", 0, TaskStatus.SUCCEEDED, "now"));
    made(folder, header("LOCAL", "e9"), true);

    RunHistory history = RunHistory.of(folder);
    assertThat(history.parts()).hasSize(1);
    assertThat(history.next()).isEqualTo(folder.resolve("rerun-2"));
  }

  @Test
  void run_in_a_process_that_ended_is_over_and_what_has_no_result_is_lost() throws IOException {
    made(folder, header("LOCAL", "e3"), false);
    results(folder, line("1", 0, TaskStatus.SUCCEEDED, ""));

    RunHistory.of(folder).requireOver(false);
    assertThat(chosen(TaskSelection.of(false, true, List.of()))).isEqualTo(bits(1, 2, 3, 4));
  }

  @Test
  void run_of_a_cluster_that_is_not_over_is_refused_and_so_is_its_rerun() throws IOException {
    made(folder, header("Q", "e3"), false);
    assertThatThrownBy(() -> RunHistory.of(folder).requireOver(false))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "run 'r1' is not over; resume it first: cloudkon client -s Q --resume r1 --out "
                + folder
                + "; or, if its cluster is gone, rerun it with --abandoned");
    RunHistory.of(folder).requireOver(true);

    made(folder, header("Q", "e4"), true);
    made(folder.resolve("rerun-1"), header("Q", "e5"), false);
    RerunFile.of(header("Q", "e4"), bits(1))
        .copy()
        .writeTo(folder.resolve("rerun-1").resolve(RerunFile.NAME));
    assertThatThrownBy(() -> RunHistory.of(folder).requireOver(false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--resume r1 --out " + folder.resolve("rerun-1"));
  }

  @Test
  void run_that_a_client_is_at_is_refused() throws IOException {
    made(folder, header("LOCAL", "e3"), false);
    try (Journal journal = RunFolder.resume(folder).openJournal()) {
      assertThatThrownBy(() -> RunHistory.of(folder).requireOver(false))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("is still running");
    }
  }

  @Test
  void rerun_that_begins_just_now_is_waited_for() throws Exception {
    Files.createDirectory(folder.resolve("rerun-1"));
    assertThatThrownBy(() -> RunHistory.of(folder).requireOver(false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("rerun-1 has no journal");

    Path next = rerun(bits(1), false);
    Files.delete(next.resolve("journal"));
    try (Journal journal = JournalFile.create(next.resolve("journal"))) {
      assertThatThrownBy(() -> RunHistory.of(folder).requireOver(false))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("is still running");
    }
  }

  @Test
  void one_that_was_removed_leaves_its_number_to_nobody() throws IOException {
    rerun(bits(1), true, line("2", 0, TaskStatus.FAILED, "a"));
    rerun(bits(1), true, line("2", 0, TaskStatus.SUCCEEDED, "b"));
    try (Stream<Path> files = Files.list(folder.resolve("rerun-1"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    Files.delete(folder.resolve("rerun-1"));

    assertThat(text("2", true)).isEqualTo("b");
    assertThat(RunHistory.of(folder).next()).isEqualTo(folder.resolve("rerun-3"));
    assertThatThrownBy(() -> RunHistory.of(folder.resolve("rerun-2")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is a rerun's folder; name that of the first run, " + folder);
  }

  @Test
  void damaged_files_are_said_and_nothing_is_run() throws IOException {
    Path rerun = rerun(bits(1, 2), true, line("2", 0, TaskStatus.SUCCEEDED, ""));
    Path file = rerun.resolve("rerun");
    String whole = Files.readString(file);
    for (String damaged :
        List.of(
            whole.substring(0, whole.length() - 2),
            whole.replace("\n2", "\n7"),
            whole.replace("\n2", "\n0"),
            whole.replace("\n2", "\nx"))) {
      Files.writeString(file, damaged);
      assertThatThrownBy(() -> RunHistory.of(folder))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("rerun cannot be read");
    }
    Files.writeString(file, whole);
    results(rerun, line("9", 5, TaskStatus.SUCCEEDED, ""));
    assertThatThrownBy(() -> chosen(TaskSelection.of(false, false, List.of())))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("has a result of a task that its run does not have");
    assertThatThrownBy(this::latest).isInstanceOf(CloudKonException.class);
  }

  @Test
  void folder_of_no_run_is_refused() {
    assertThatThrownBy(() -> RunHistory.of(temp))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("it contains no journal");
  }

  @Test
  void what_is_shipped_otherwise_is_said() throws IOException {
    try (Workload workload = workload()) {
      Rerun rerun = new Rerun(RunHistory.of(folder), workload, selected(1));
      assertThat(
              rerun.changes(List.of(new Content("33", 3, "fit.py"), new Content("44", 3, "more"))))
          .containsExactly(
              "fit.py has changed since run 'r1' and is shipped as it is now",
              "more is shipped, but was not in run 'r1'",
              "data was shipped in run 'r1', but is not shipped now; each --ship of a rerun must be"
                  + " given again");
    }
  }
}
