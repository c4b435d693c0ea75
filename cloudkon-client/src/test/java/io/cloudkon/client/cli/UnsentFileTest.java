package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.ship.Shipment;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.CollectRule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsentFileTest {
  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.createDirectory(folder.resolve("data"));
    Files.writeString(folder.resolve("data/a b.csv"), "1");
    Path program = Files.writeString(folder.resolve("process.sh"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(folder.resolve("test"), "");
  }

  private Optional<String> hint(String line, String... shipped) {
    return find(line, shipped).map(UnsentFile::hint);
  }

  private Optional<UnsentFile> find(String line, String... shipped) {
    try (Shipment shipment = Shipment.of(Stream.of(shipped).map(folder::resolve).toList());
        Workload workload = workload(line)) {
      return UnsentFile.find(workload, folder, shipment);
    }
  }

  private static Workload workload(String line) {
    return Workload.open(
        "-", new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), WorkloadFormat.AUTO);
  }

  @Test
  void program_that_is_not_sent_is_named_with_the_option_that_sends_it() {
    assertThat(hint("# first\n\nexec ./process.sh 1\n"))
        .contains(
            "the tasks of a cluster start in a folder of their own and do not find ./process.sh:"
                + " send it with --ship process.sh");
    assertThat(hint("exec ./process.sh 1", "process.sh")).isEmpty();
  }

  /** It was told to ship the folder, too. */
  @Test
  void file_that_is_shipped_under_another_name_is_named_by_that() throws IOException {
    Path program = Files.writeString(folder.resolve("data/fit.sh"), "");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String start = "the tasks of a cluster start in a folder of their own and do not find ";

    assertThat(hint("{\"exec\":[\"data/fit.sh\",\"1\"]}", "data/fit.sh"))
        .contains(start + "data/fit.sh: it is shipped, so name it ./fit.sh in the command");
    assertThat(hint("{\"exec\":[\"wc\",\"data/a b.csv\"]}", "data/a b.csv"))
        .contains(start + "'data/a b.csv': it is shipped, so name it 'a b.csv' in the command");
    folder = Files.createDirectory(folder.resolve("inner"));
    assertThat(hint("{\"exec\":[\"../data/fit.sh\"]}", "../data"))
        .contains(start + "../data/fit.sh: it is shipped, so name it data/fit.sh in the command");
  }

  @Test
  void program_that_no_task_can_find_is_told_from_one_that_may_be_there() throws IOException {
    Files.writeString(folder.resolve("notes.sh"), "");

    assertThat(certain("{\"exec\":[\"./process.sh\",\"1\"]}")).hasValue(true);
    assertThat(certain("{\"shell\":\"./process.sh || echo none\"}")).hasValue(false);
    assertThat(certain("{\"exec\":[\"env\",\"./process.sh\"]}")).hasValue(false);
    assertThat(certain("{\"exec\":[\"./notes.sh\"]}")).as("not executable").hasValue(false);
    folder = Files.createDirectory(folder.resolve("inner"));
    assertThat(certain("{\"exec\":[\"../process.sh\"]}")).as("outside").hasValue(false);
  }

  private Optional<Boolean> certain(String line) {
    return find(line).map(UnsentFile::isCertain);
  }

  @Test
  void argument_that_is_not_sent_is_named_with_both_options() {
    assertThat(hint("{\"exec\":[\"wc\",\"data/a b.csv\"]}"))
        .contains(
            "the tasks of a cluster start in a folder of their own and do not find 'data/a b.csv':"
                + " send it with --ship data to every task, or to each its own with --file");
    assertThat(hint("{\"exec\":[\"wc\",\"--in=data/a b.csv\"]}")).isPresent();
    assertThat(hint("{\"shell\":\"wc <data/*.csv; cat ./process.sh\"}")).isPresent();
    assertThat(hint("{\"exec\":[\"wc\",\"data/a b.csv\"]}", "data")).isEmpty();
    assertThat(hint("{\"exec\":[\"wc\",\"data/a b.csv\"],\"files\":[\"data/a b.csv\"]}")).isEmpty();
  }

  @Test
  void file_outside_the_folder_is_to_be_sent_and_renamed() throws IOException {
    Files.writeString(folder.resolve("data/a.csv"), "1");
    folder = Files.createDirectory(folder.resolve("inner"));

    assertThat(hint("exec wc ../data/a.csv"))
        .contains(
            "the tasks of a cluster start in a folder of their own and do not find ../data/a.csv:"
                + " send it with --ship ../data, and name it data/a.csv in the command");
    assertThat(hint("exec ../process.sh"))
        .contains(
            "the tasks of a cluster start in a folder of their own and do not find ../process.sh:"
                + " send it with --ship ../process.sh, and name it ./process.sh in the command");
  }

  /** With --collect alone, every task of a LOCAL run failed without a word about the folder. */
  @Test
  void task_with_files_of_its_own_does_not_find_them_on_this_machine_either() {
    String start = "tasks with --ship, --file or --collect start in a folder of their own and ";
    CollectRule files = CollectRule.NONE.of(List.of("out/*"));
    assertThat(hintHere("exec ./process.sh 1", files))
        .contains(start + "do not find ./process.sh: send it with --ship process.sh");
    assertThat(
            hintHere("{\"exec\":[\"wc\",\"data/a b.csv\"],\"collect\":[\"x\"]}", CollectRule.NONE))
        .isPresent();
    assertThat(hintHere("{\"exec\":[\"./process.sh\"],\"files\":[\"test\"]}", CollectRule.NONE))
        .isPresent();
    assertThat(hintHere("{\"exec\":[\"wc\",\"data/a b.csv\"]}", CollectRule.NONE, "data/a b.csv"))
        .contains(
            start
                + "do not find 'data/a b.csv': it is shipped, so name it 'a b.csv' in the command");
    assertThat(hintHere("exec ./process.sh 1", files, "process.sh")).isEmpty();
  }

  @Test
  void task_that_starts_in_the_folder_itself_finds_them() {
    CollectRule files = CollectRule.NONE.of(List.of("out/*"));
    assertThat(hintHere("exec ./process.sh 1", CollectRule.NONE)).isEmpty();
    assertThat(hintHere("{\"exec\":[\"./process.sh\"],\"collect\":[]}", files)).isEmpty();
  }

  private Optional<String> hintHere(String line, CollectRule collected, String... shipped) {
    try (Shipment shipment = Shipment.of(Stream.of(shipped).map(folder::resolve).toList());
        Workload workload = workload(line)) {
      return UnsentFile.findLocally(workload, folder, shipment, collected).map(UnsentFile::hint);
    }
  }

  @Test
  void what_is_no_file_of_the_user_is_left_alone() {
    assertThat(hint("exec tool test data -v 1.5 " + folder.resolve("process.sh"))).isEmpty();
    assertThat(hint("exec ./other.sh ../no-file-of-this-name .")).isEmpty();
    assertThat(hint("{\"exec\":[\"./process.sh\"],\"dir\":\"/srv\"}")).isEmpty();
    assertThat(hint("sleep 1")).isEmpty();
    assertThat(hint("{\"shell\":\"date >./process.sh 2> process.sh\"}")).isEmpty();
    assertThat(hint("exec tool --out data/")).isEmpty();
  }
}
