package io.cloudkon.client.report;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilesFolderTest {
  @TempDir Path run;

  @ParameterizedTest
  @CsvSource({
    "17, files/17",
    "a-b_c.d+e@f=g, files/a-b_c.d+e@f=g",
    "a/b, files/a%2Fb",
    ".., files/%2E.",
    "., files/%2E",
    "-x, files/%2Dx",
    "100%, files/100%25",
    "a b, files/a%20b",
    "ü, files/%C3%BC",
  })
  void id_that_is_awkward_as_a_name_is_written_as_in_addresses(String id, String folder) {
    assertThat(FilesFolder.of(id)).isEqualTo(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "..", "a%b/c", "x", "/", "漢", "-", "%", "a\nb"})
  void id_of_any_length_can_be_read_back(String part) throws Exception {
    String id = part.repeat(256 / part.getBytes(UTF_8).length);

    String folder = FilesFolder.of(id);

    for (String name : folder.split("/")) {
      assertThat(name.length()).isLessThanOrEqualTo(255);
      assertThat(name).doesNotStartWith(".").doesNotStartWith("-");
    }
    String joined = folder.substring("files/".length()).replace("%/", "").replace("+", "%2B");
    String bytes = URLDecoder.decode(joined, ISO_8859_1);
    assertThat(new String(bytes.getBytes(ISO_8859_1), UTF_8)).isEqualTo(id);
    Files.createDirectories(run.resolve(folder));
  }

  @Test
  void filled_folder_takes_the_place_of_what_a_crash_has_left() throws Exception {
    Files.createDirectories(run.resolve("files/1/old"));
    Files.createFile(run.resolve("files/.cloudkon"));
    Files.createDirectories(run.resolve("files/.new-1/left"));
    FilesFolder folder = new FilesFolder(run);
    Path filled = folder.newFolder();
    assertThat(filled).isEmptyDirectory();
    Files.writeString(filled.resolve("a"), "new");
    FilesFolder.sync(filled);

    folder.keep(filled, "1");

    assertThat(run.resolve("files/1/a")).hasContent("new");
    assertThat(run.resolve("files/1/old")).doesNotExist();
    assertThat(filled).doesNotExist();
  }

  /** A stopped client's thread: a sync that gave up made the task FAILED whose files it fetched. */
  @Test
  void interrupted_thread_syncs_all_the_same_and_stays_interrupted() throws Exception {
    FilesFolder folder = new FilesFolder(run);
    Path filled = folder.newFolder();
    Files.writeString(Files.createDirectory(filled.resolve("in")).resolve("a"), "new");
    try {
      Thread.currentThread().interrupt();

      FilesFolder.sync(filled);
      folder.keep(filled, "1");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(run.resolve("files/1/in/a")).hasContent("new");
  }

  @Test
  void folder_that_a_crash_left_without_its_mark_is_used() throws Exception {
    Files.createDirectories(run.resolve("files"));

    assertThat(new FilesFolder(run).newFolder()).exists();
    assertThat(new FilesFolder(run).newFolder()).exists();
  }

  @Test
  void folder_of_the_users_is_neither_used_nor_removed() throws Exception {
    Path own = Files.createDirectories(run.resolve("files/17"));

    FilesFolder.removeFormer(run);

    assertThat(own).exists();
    assertThatThrownBy(() -> new FilesFolder(run).newFolder())
        .isInstanceOf(UnwritableFolderException.class)
        .hasMessageContaining("does not belong to a run");
  }

  @Test
  void folder_of_the_users_is_told_before_anything_runs() throws Exception {
    RunFolder.choose("r", Optional.of(run.toString()), true).recording(run, Map.of()).prepare();
    assertThat(FilesFolder.foreignIn(run)).isEmpty();
    Path own = Files.createDirectories(run.resolve("files"));
    assertThat(FilesFolder.foreignIn(run)).isEmpty();
    Files.createFile(own.resolve("thesis"));

    assertThat(FilesFolder.foreignIn(run)).hasValue(own);
    assertThat(RunFolder.choose("r", Optional.of(run.toString()), true).unkeptFiles())
        .hasValue(own + " does not belong to a run");
    assertThat(RunFolder.choose("r", Optional.of("none"), false).unkeptFiles()).isPresent();
    Files.createFile(own.resolve(".cloudkon"));
    assertThat(FilesFolder.foreignIn(run)).isEmpty();
  }

  @Test
  void link_and_file_in_the_folders_place_are_foreign() throws Exception {
    Files.createSymbolicLink(run.resolve("files"), Files.createDirectory(run.resolve("other")));
    Path second = Files.createDirectory(run.resolve("second"));
    Files.createFile(second.resolve("files"));

    assertThat(FilesFolder.foreignIn(run)).isPresent();
    assertThat(FilesFolder.foreignIn(second)).isPresent();
  }

  /** Task A's files replaced those of task a. */
  @Test
  void capital_letters_are_written_in_digits_where_the_file_system_ignores_case() throws Exception {
    Files.createFile(Files.createDirectory(run.resolve("files")).resolve(".cloudkon"));
    Path capital = run.resolve("files/.CLOUDKON");
    if (!Files.exists(capital)) {
      FilesFolder exact = new FilesFolder(run);
      Path unused = exact.newFolder();
      assertThat(exact.folderOf("aA")).isEqualTo("files/aA");
      // Where case is ignored, this is the name of the same file.
      Files.createFile(capital);
    }
    FilesFolder folder = new FilesFolder(run);
    Path filled = folder.newFolder();

    folder.keep(filled, "A");

    assertThat(run.resolve("files/%41")).isEmptyDirectory();
    assertThat(folder.folderOf("aA-Ü")).isEqualTo("files/a%41-%C3%9C");
  }

  @Test
  void former_runs_folder_is_removed_and_no_link_followed() throws IOException {
    Path outside = Files.createDirectory(run.resolve("outside"));
    Files.createFile(outside.resolve("kept"));
    FilesFolder folder = new FilesFolder(run);
    Files.createSymbolicLink(folder.newFolder().resolve("link"), outside);

    FilesFolder.removeFormer(run);

    assertThat(run.resolve("files")).doesNotExist();
    assertThat(outside.resolve("kept")).exists();
  }
}
