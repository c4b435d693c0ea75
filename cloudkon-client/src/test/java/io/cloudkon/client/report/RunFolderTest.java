package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunFolderTest {
  @TempDir Path home;

  private RunFolder choose(String name, boolean force) {
    return RunFolder.choose("r", Optional.of(home.resolve(name).toString()), force);
  }

  @Test
  void a_run_without_option_gets_a_folder_of_its_name_here() {
    assertThat(RunFolder.choose("r-7f3a", Optional.empty(), false).path())
        .hasValue(Path.of("cloudkon-r-7f3a"));
  }

  @Test
  void choosing_touches_nothing_and_preparing_makes_it() {
    RunFolder folder = choose("a/b", false);
    assertThat(home).isEmptyDirectory();

    folder.prepare();

    assertThat(home.resolve("a/b")).isEmptyDirectory();
  }

  @Test
  void its_files_are_written_where_it_says() throws IOException {
    RunFolder folder = choose("out", false);
    folder.prepare();
    try (ResultSink results = folder.openResults();
        Journal journal = folder.openJournal()) {
      results.accept(Samples.times(), "w", 1, Samples.succeeded(0), 0);
      journal.append(List.of(new JournalEntry.Ended()));
    }
    folder.writeReport(
        Reports.report(Reports.eventful(), Reports.facts(1_234, OptionalLong.empty())));

    try (var files = Files.list(home.resolve("out"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("results.jsonl", "report.json", "journal");
    }
  }

  @Test
  void journal_that_ends_before_its_header_is_told_from_one_that_cannot_be_read()
      throws IOException {
    Path journal = Files.createDirectory(home.resolve("out")).resolve("journal");
    String stored = JournalLine.encode(new JournalEntry.Stored()) + '\n';
    for (String begun : List.of("", stored, stored + "run 3 r e")) {
      Files.writeString(journal, begun);
      assertThatThrownBy(() -> RunFolder.resume(home.resolve("out")).header())
          .isInstanceOf(UsageException.class)
          .hasMessageEndingWith("none of the run's tasks were sent, so submit it again");
    }
    for (String foreign : List.of("run 2 r e 0\n", stored + "run 3 damaged\nbundle\n")) {
      Files.writeString(journal, foreign);
      assertThatThrownBy(() -> RunFolder.resume(home.resolve("out")).header())
          .isInstanceOf(UsageException.class)
          .hasMessageEndingWith("resume it with the version that started it");
    }
  }

  @Test
  void an_existing_folder_is_refused_with_the_ways_out() throws IOException {
    Path out = Files.createDirectory(home.resolve("out"));
    Files.createFile(out.resolve("notes.txt"));

    assertThatThrownBy(() -> choose("out", false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("holds files and is not an earlier run's")
        .hasMessageContaining("--out DIR")
        .hasMessageContaining("--out none");

    Files.move(out, home.resolve("notes"));
    journal("out", "Q", "");
    assertThatThrownBy(() -> choose("out", false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("exists")
        .hasMessageContaining("--out DIR")
        .hasMessageContaining("--force")
        .hasMessageContaining("--out none");
  }

  @Test
  void folder_that_only_the_finder_has_seen_is_empty() throws IOException {
    Path out = Files.createDirectory(home.resolve("out"));
    Files.createFile(out.resolve(".DS_Store"));

    assertThat(choose("out", false).path()).hasValue(out);
  }

  /** As mktemp -d makes it. */
  @Test
  void empty_folder_is_used_as_a_new_one() throws IOException {
    Path out = Files.createDirectory(home.resolve("out"));
    assertThat(choose("out", true).path()).hasValue(out);
    RunFolder first = choose("out", false);
    RunFolder second = choose("out", false);

    first.prepare();
    first.openJournal().close();

    assertThat(out.resolve("journal")).exists();
    assertThatThrownBy(second::prepare)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("output folder %s exists".formatted(out));
    assertThat(out.resolve("journal")).exists();
  }

  /** The results of a run were strewn among somebody's files. */
  @Test
  void folder_with_files_that_is_no_runs_is_refused_even_with_force() throws IOException {
    Files.createFile(Files.createDirectory(home.resolve("out")).resolve("thesis.tex"));

    assertThatThrownBy(() -> choose("out", true))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("holds files and is not an earlier run's")
        .hasMessageContaining("--out DIR");
  }

  @Test
  void a_folder_of_an_unfinished_run_says_how_to_go_on_with_it() throws IOException {
    journal("out", "Q", "ab".repeat(32));
    assertThatThrownBy(() -> choose("out", false))
        .isInstanceOf(UsageException.class)
        .hasMessageEndingWith(
            "--out none; run 'ff' in it is unfinished; resume it with: cloudkon client -s Q"
                + " --resume ff --out %s",
            home.resolve("out"));

    Files.createFile(home.resolve("out/report.json"));
    assertThatThrownBy(() -> choose("out", false)).hasMessageEndingWith("--out none");
  }

  @Test
  void the_way_to_go_on_can_be_pasted_whatever_the_folder_is_called() throws IOException {
    journal("my out", "Q", "ab".repeat(32));

    assertThatThrownBy(() -> choose("my out", false))
        .hasMessageEndingWith("--resume ff --out '%s'", home.resolve("my out"));
  }

  @Test
  void what_cannot_be_gone_on_with_is_not_offered() throws IOException {
    journal("streamed", "Q", "");
    journal("here", "LOCAL", "ab".repeat(32));
    Files.createDirectory(home.resolve("torn"));
    Files.writeString(home.resolve("torn/journal"), "nothing whole");
    for (String name : List.of("streamed", "here", "torn")) {
      assertThatThrownBy(() -> choose(name, false)).hasMessageEndingWith("--out none");
    }
  }

  private void journal(String name, String queue, String digest) {
    SampleHeader.write(choose(name, false), SampleHeader.of("ff", queue, digest, "tasks.txt"));
  }

  @Test
  void a_folder_that_came_to_exist_meanwhile_is_refused() throws IOException {
    RunFolder folder = choose("out", false);
    Files.createDirectory(home.resolve("out"));

    assertThatThrownBy(folder::prepare)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("exists");
  }

  @Test
  void a_file_in_its_place_is_refused_even_with_force() throws IOException {
    Files.writeString(home.resolve("out"), "precious");

    assertThatThrownBy(() -> choose("out", true))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is not a folder");
    assertThat(home.resolve("out")).hasContent("precious");
  }

  @Test
  void force_replaces_a_former_runs_files_and_nothing_else() throws IOException {
    Path out = home.resolve("out");
    journal("out", "Q", "");
    for (String name : List.of("results.jsonl", "report.json", "rerun")) {
      Files.writeString(out.resolve(name), "old");
    }
    Files.writeString(out.resolve("thesis.tex"), "old");

    choose("out", true).prepare();

    try (var files = Files.list(out)) {
      assertThat(files).containsExactly(out.resolve("thesis.tex"));
    }
  }

  /** Its client went on writing into removed files, and deleted the messages of its results. */
  @Test
  void folder_of_a_live_run_is_refused_even_with_force() throws IOException {
    RunFolder live = choose("out", false);
    live.prepare();
    RunFolder chosenBefore = choose("out", true);
    Path out = home.resolve("out");
    Files.writeString(out.resolve("results.jsonl"), "live");
    String refused =
        "output folder %s is that of run 'ff', whose client is running on this machine"
            .formatted(out);
    try (Journal journal = live.openJournal()) {
      journal.append(List.of(SampleHeader.of("ff", "Q", "", "tasks.txt")));

      assertThatThrownBy(() -> choose("out", true))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(refused);
      assertThatThrownBy(chosenBefore::prepare)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(refused);
    }

    assertThat(out.resolve("results.jsonl")).hasContent("live");
    chosenBefore.prepare();
    assertThat(out).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"results.jsonl", "report.json", "journal", "cloudkon.json", "rerun"})
  void files_of_a_folder_that_is_not_a_runs_are_kept_even_with_force(String name)
      throws IOException {
    Path out = Files.createDirectory(home.resolve("out"));
    Files.writeString(out.resolve(name), "precious");

    assertThatThrownBy(() -> choose("out", true))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(name + " does not belong to an earlier run");
    assertThat(out.resolve(name)).hasContent("precious");
  }

  @Test
  void folder_in_which_a_file_cannot_be_written_is_removed_again() {
    KeptFile full =
        new KeptFile(
            "workload.jsonl",
            file -> {
              Files.writeString(file, "half");
              throw new IOException("No space left on device");
            });
    RunFolder folder = choose("out", false).keeping(full);

    assertThatThrownBy(folder::prepare)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("No space left");
    assertThat(home.resolve("out")).doesNotExist();
  }

  @Test
  void force_on_a_folder_that_is_not_there_makes_it() {
    choose("out", true).prepare();

    assertThat(home.resolve("out")).isEmptyDirectory();
  }

  @Test
  void a_parent_that_is_a_file_is_named() throws IOException {
    Files.writeString(home.resolve("file"), "");

    assertThatThrownBy(() -> choose("file/out", false).prepare())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("cannot create the output folder")
        .hasMessageContaining("file/out");
  }

  @Test
  void a_parent_that_takes_no_folder_is_named() {
    assertThatThrownBy(
            () -> RunFolder.choose("r", Optional.of("/proc/cloudkon-test"), false).prepare())
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "cannot create the output folder /proc/cloudkon-test: no such file or directory;");
  }

  @Test
  void an_empty_name_is_said_to_be_empty() {
    assertThatThrownBy(() -> RunFolder.choose("r", Optional.of(""), true))
        .isInstanceOf(UsageException.class)
        .hasMessage("--out '': the name of the output folder is empty; expected a folder, or none");
  }

  @Test
  void out_none_writes_nothing() {
    RunFolder folder = RunFolder.choose("r", Optional.of("none"), false);
    folder.prepare();

    assertThatCode(
            () -> {
              try (ResultSink results = folder.openResults();
                  Journal journal = folder.openJournal()) {
                results.accept(Samples.times(), "w", 1, Samples.succeeded(0), 0);
                results.flushAndSync();
                journal.append(List.of(new JournalEntry.Ended()));
                journal.note(new JournalEntry.Ended());
              }
              folder.writeReport(
                  Reports.report(Reports.eventful(), Reports.facts(1_234, OptionalLong.empty())));
            })
        .doesNotThrowAnyException();
    assertThat(folder.path()).isEmpty();
    assertThat(Path.of("none")).doesNotExist();
  }

  @Test
  void a_resumed_run_goes_on_in_its_files() throws IOException {
    RunFolder first = choose("out", false);
    first.prepare();
    write(first, 0);

    RunFolder second = RunFolder.resume(home.resolve("out"));
    second.prepare();
    write(second, 1);

    assertThat(Files.readAllLines(home.resolve("out/results.jsonl"))).hasSize(2);
    assertThat(Files.readAllLines(home.resolve("out/journal"))).hasSize(2);
  }

  private static void write(RunFolder folder, int ordinal) {
    try (ResultSink results = folder.openResults();
        Journal journal = folder.openJournal()) {
      results.accept(Samples.times(), "w", 1, Samples.succeeded(ordinal), 0);
      journal.note(new JournalEntry.Confirmed(List.of(ordinal), 1, 2));
    }
  }

  @Test
  void a_folder_without_journal_cannot_be_resumed() {
    assertThatThrownBy(() -> RunFolder.resume(home))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no journal");
    assertThatThrownBy(() -> RunFolder.resume(home.resolve("cloudkon-nosuch")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("cloudkon-nosuch: there is no such folder")
        .hasMessageContaining("--out DIR; ");
  }

  @Test
  void choose_refuses_a_place_where_no_folder_can_be_made(@TempDir Path place) throws IOException {
    Path file = Files.createFile(place.resolve("file"));

    assertThatThrownBy(
            () -> RunFolder.choose("r", Optional.of(file.resolve("a/out").toString()), false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(file + " is not a writable folder");
  }
}
