package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalFile;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be wrong with a --resume, each in one line. */
class ResumptionTest {
  private static final String WHAT = " (what was standard input or a pipe)";

  @TempDir Path folder;

  private void journal(String digest, String file) {
    try (JournalFile journal = JournalFile.create(folder.resolve("journal"))) {
      journal.append(
          List.of(
              new RunHeader(
                  "r",
                  "e",
                  Consistency.AT_MOST_ONCE,
                  ClaimScope.BUNDLE,
                  "c",
                  "Q",
                  digest,
                  file,
                  3,
                  65_536,
                  0,
                  0,
                  List.of())));
    }
  }

  private Resumption of(String queue, String run, Optional<Consistency> consistency) {
    return Resumption.of(
        queue, run, Optional.of(folder.toString()), consistency, Optional.empty(), option -> false);
  }

  private static void refused(Runnable what, String... says) {
    assertThatThrownBy(what::run)
        .isInstanceOf(UsageException.class)
        .message()
        .contains(says)
        .doesNotContain("\n");
  }

  @Test
  void run_that_is_as_it_was_is_gone_on_with() {
    journal("abc", "/tasks.txt");
    Resumption resumption = of("Q", "r", Optional.of(Consistency.AT_MOST_ONCE));
    assertThat(resumption.header().run()).isEqualTo("r");
    assertThat(resumption.workload(Optional.empty())).isEqualTo("/tasks.txt");
    assertThat(resumption.workload(Optional.of("moved.txt"))).isEqualTo("moved.txt");
  }

  /** A second reader of a pipe waits for a writer that never comes. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void workload_that_came_through_a_pipe_must_be_given_again() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    journal("abc", pipe.toString());
    Resumption resumption = of("Q", "r", Optional.empty());

    refused(
        () -> resumption.workload(Optional.empty()),
        "run 'r' read its workload from " + pipe,
        "name it with -w FILE");
    assertThat(resumption.workload(Optional.of("tasks.txt"))).isEqualTo("tasks.txt");
    assertThat(SentWorkload.open(resumption.header(), folder)).isEmpty();
    assertThat(SentWorkload.why(resumption.header())).isEqualTo("the workload was not in a file");
    assertThat(Resuming.command(resumption.header(), folder)).endsWith(" -w FILE" + WHAT);
  }

  /** The header of a run from a pipe has the same word as that of one from standard input. */
  @Test
  void workload_that_was_in_no_file_must_be_given_again() {
    journal("abc", "-");
    Resumption resumption = of("Q", "r", Optional.empty());

    refused(
        () -> resumption.workload(Optional.empty()),
        "run 'r' read its workload from standard input or a pipe; name it with -w FILE");
    assertThat(resumption.workload(Optional.of("-"))).isEqualTo("-");
    assertThat(Resuming.command(resumption.header(), folder)).endsWith(" -w FILE" + WHAT);
  }

  @Test
  void cluster_of_a_run_is_known_by_its_folder() {
    Optional<String> out = Optional.of(folder.toString());
    refused(() -> Resumption.queue("r", out), "missing required option: '-s QUEUE'", "no run 'r'");
    journal("abc", "/tasks.txt");
    assertThat(Resumption.queue("r", out)).isEqualTo("Q");
  }

  @Test
  void run_may_be_named_by_its_folder() {
    ResumedName unknown = ResumedName.of(folder.toString(), Optional.empty());
    assertThat(unknown).isEqualTo(new ResumedName(folder.toString(), Optional.empty()));
    journal("abc", "/tasks.txt");

    ResumedName found = ResumedName.of(folder.toString(), Optional.empty());

    assertThat(found).isEqualTo(new ResumedName("r", Optional.of(folder.toString())));
    assertThat(Resumption.queue(found.run(), found.out())).isEqualTo("Q");
    assertThat(ResumedName.of("r2", Optional.of("x")))
        .as("--out names the folder")
        .isEqualTo(new ResumedName("r2", Optional.of("x")));
  }

  private static Path workload(Path in, String line) throws IOException {
    return Files.writeString(in.resolve("workload.jsonl"), line + "\n");
  }

  /** The file that the resumed run would read. */
  private String read() {
    return of("Q", "r", Optional.empty()).workload(Optional.empty());
  }

  @Test
  void spooled_run_reads_its_own_folder_even_if_another_run_has_its_old_path(@TempDir Path old)
      throws Exception {
    Path others = workload(old, "{\"noop\":true}");
    Path own = workload(folder, "{\"noop\":true}");
    journal("spool", others.toString());
    assertThat(read()).isEqualTo(own.toString());
  }

  @Test
  void moved_folder_reads_its_own_copy_even_if_another_run_has_its_old_path(@TempDir Path old)
      throws Exception {
    Path others = workload(old, "{\"noop\":true}");
    Path own = workload(folder, "{\"sleep\":1}");
    journal(digest(own), others.toString());
    assertThat(read()).isEqualTo(own.toString());

    Files.writeString(own, "{\"sleep\":2}\n");
    assertThat(read()).as("a former run left it").isEqualTo(others.toString());
  }

  private static String digest(Path file) {
    try (Workload workload =
        Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      return workload.summary().orElseThrow().sha256();
    }
  }

  @Test
  void users_file_is_read_and_not_what_a_former_run_left_in_the_folder(@TempDir Path old)
      throws Exception {
    Path tasks = Files.writeString(old.resolve("tasks.txt"), "noop\n");
    Path unused = workload(folder, "{\"noop\":true}");
    journal("abc", tasks.toString());
    assertThat(read()).isEqualTo(tasks.toString());
  }

  @Test
  void another_consistency_is_refused() {
    journal("abc", "/tasks.txt");
    refused(
        () -> of("Q", "r", Optional.of(Consistency.EXACTLY_ONCE)),
        "--consistency exactly-once",
        "keeps what it was submitted with, at-most-once");
  }

  @Test
  void another_claim_is_refused_and_the_same_is_not() {
    journal("abc", "/tasks.txt");
    Optional<String> out = Optional.of(folder.toString());
    refused(
        () ->
            Resumption.of(
                "Q", "r", out, Optional.empty(), Optional.of(ClaimScope.TASK), option -> false),
        "--claim task",
        "keeps what it was submitted with, bundle");
    assertThat(
            Resumption.of(
                    "Q", "r", out, Optional.empty(), Optional.of(ClaimScope.BUNDLE), o -> false)
                .header()
                .claim())
        .isEqualTo(ClaimScope.BUNDLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--run-id",
        "--preset",
        "--retries",
        "--timeout",
        "--capture",
        "--ship",
        "--stream",
        "--force"
      })
  void option_that_made_the_run_is_refused(String option) {
    refused(
        () ->
            Resumption.of(
                "Q",
                "r",
                Optional.of(folder.toString()),
                Optional.empty(),
                Optional.empty(),
                option::equals),
        option + " cannot be combined with --resume",
        "keeps what it was submitted with");
  }

  @Test
  void journal_of_another_run_or_cluster_is_refused() {
    journal("abc", "/tasks.txt");
    refused(() -> of("Q", "r2", Optional.empty()), "holds run 'r' of cluster 'Q'");
    refused(() -> of("Q2", "r", Optional.empty()), "not run 'r' of cluster 'Q2'");
  }

  @Test
  void folder_without_journal_or_with_an_empty_one_is_refused() throws Exception {
    refused(() -> of("Q", "r", Optional.empty()), "there is no journal in it");
    Files.createFile(folder.resolve("journal"));
    refused(() -> of("Q", "r", Optional.empty()), "none of the run's tasks were sent");
  }

  @Test
  void streamed_run_is_refused() {
    journal("", "-");
    refused(() -> of("Q", "r", Optional.empty()), "was streamed", "cloudkon cancel -s Q r");
  }

  @Test
  void local_run_is_refused() {
    refused(
        () -> of("LOCAL", "r", Optional.empty()), "--resume r", "ends with it", "rerun " + folder);
  }

  @Test
  void no_files_are_refused() {
    refused(
        () ->
            Resumption.of(
                "Q", "r", Optional.of("none"), Optional.empty(), Optional.empty(), option -> false),
        "--out none cannot be combined with --resume");
  }

  @Test
  void folder_without_a_name_is_refused_with_and_without_a_queue() {
    String says = "--out '': the name of the output folder is empty";
    refused(
        () ->
            Resumption.of(
                "Q", "r", Optional.of(""), Optional.empty(), Optional.empty(), option -> false),
        says);
    refused(() -> Resumption.queue("r", Optional.of("")), says);
  }

  @Test
  void workload_from_standard_input_is_asked_for() {
    journal("abc", "-");
    Resumption resumption = of("Q", "r", Optional.empty());
    refused(() -> resumption.workload(Optional.empty()), "from standard input", "-w -");
    assertThat(resumption.workload(Optional.of("-"))).isEqualTo("-");
  }

  @Test
  void another_workload_is_refused() throws Exception {
    journal("abcdef0123456789", "/tasks.txt");
    Path file = Files.writeString(folder.resolve("tasks.txt"), "noop\n");
    try (Workload workload =
        Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      refused(
          () -> of("Q", "r", Optional.empty()).checkSame(workload, "tasks.txt"),
          "tasks.txt is not the workload",
          "expected abcdef012345…");
    }
  }
}
