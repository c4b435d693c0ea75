package io.cloudkon.worker.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.CollectedFiles.LeftOut;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.ship.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectedArchiveTest {
  @TempDir Path temp;
  private Path directory;
  private Path scratch;

  @BeforeEach
  void folders() throws IOException {
    directory = Files.createDirectory(temp.resolve("task"));
    scratch = Files.createDirectory(temp.resolve("scratch"));
  }

  @Test
  void files_that_match_are_packed_and_come_out_as_they_were() throws Exception {
    write("out/a.csv", "a");
    write("out/b.txt", "b");
    write("out/deep/c.csv", "c");
    write("d.csv", "d");
    assertThat(directory.resolve("d.csv").toFile().setExecutable(true)).isTrue();

    CollectedArchive archive = pack("**/*.csv");

    assertThat(unpacked(archive))
        .isEqualTo(Map.of("out/a.csv", "a", "out/deep/c.csv", "c", "d.csv", "d"));
    assertThat(archive.files().count()).isEqualTo(3);
    assertThat(archive.files().bytes()).isEqualTo(3);
    assertThat(archive.files().leftOut()).isEmpty();
    assertThat(temp.resolve("unpacked/d.csv")).isExecutable();
    assertThat(temp.resolve("unpacked/out/a.csv").toFile().canExecute()).isFalse();
  }

  @Test
  void folder_that_matches_is_packed_with_all_that_is_in_it() throws Exception {
    write("out/.hidden", "h");
    write("out/deep/x", "x");
    write(".other", "o");

    assertThat(unpacked(pack("out"))).containsOnlyKeys("out/.hidden", "out/deep/x");
  }

  @Test
  void links_and_what_is_no_file_are_left_out_and_never_followed() throws Exception {
    Path secret = Files.writeString(temp.resolve("secret"), "secret");
    Files.createSymbolicLink(directory.resolve("a-link"), secret);
    Files.createSymbolicLink(directory.resolve("b-folder"), temp);
    new ProcessBuilder("mkfifo", directory.resolve("c-fifo").toString()).start().waitFor();
    write("d-file", "d");

    CollectedArchive archive = pack("*", "b-folder/secret");

    assertThat(unpacked(archive)).isEqualTo(Map.of("d-file", "d"));
    assertThat(archive.files().leftOut())
        .containsExactly(
            new LeftOut("a-link", "is a symbolic link, and links are not followed"),
            new LeftOut("b-folder", "is a symbolic link, and links are not followed"),
            new LeftOut("c-fifo", "is neither a file nor a folder"),
            new LeftOut("b-folder/secret", "nothing matches this pattern"));
  }

  @Test
  void what_is_beyond_the_limits_is_left_out_and_counted() throws Exception {
    write("a", "1234");
    write("b", "12345678");
    write("c", "1");
    for (int i = 0; i < 30; i++) {
      write("d" + i, "1");
    }

    CollectedFiles files = pack(new CollectRule(List.of("*"), false, 10, 3)).files();

    assertThat(files.count()).isEqualTo(3);
    assertThat(files.bytes()).isEqualTo(6);
    assertThat(files.leftOutCount()).isEqualTo(30);
    assertThat(files.leftOut()).hasSize(Limits.LEFT_OUT);
    assertThat(files.leftOut().getFirst())
        .isEqualTo(
            new LeftOut("b", "with its 8 bytes, the limit of 10 is exceeded (--collect-size)"));
    assertThat(files.leftOut().getLast().why()).contains("the limit of 3 files");
  }

  @Test
  void files_of_another_user_are_left_out_where_tasks_have_one_of_their_own() throws Exception {
    write("mine", "m");
    String me = Files.getOwner(directory).getName();
    CollectRule all = CollectRule.NONE.of(List.of("*"));

    CollectedFiles own = CollectedArchive.pack(directory, all, me, scratch).files();
    CollectedFiles others = CollectedArchive.pack(directory, all, me + "2", scratch).files();

    assertThat(own.count()).isEqualTo(1);
    assertThat(others.count()).isZero();
    assertThat(others.leftOut().getFirst().why()).startsWith("belongs to another user, ");
  }

  @Test
  void name_that_is_no_utf8_is_left_out() throws Exception {
    List<String> touch = List.of("sh", "-c", "touch \"$(printf 'a\\377')\" b");
    assertThat(new ProcessBuilder(touch).directory(directory.toFile()).start().waitFor()).isZero();

    CollectedArchive archive = pack("*", ".");

    assertThat(unpacked(archive)).containsOnlyKeys("b");
    assertThat(archive.files().leftOut()).hasSize(1);
    assertThat(archive.files().leftOut().getFirst().why()).isEqualTo("its name is not UTF-8");
  }

  @Test
  void nothing_that_matches_makes_no_archive_and_leaves_nothing_on_the_disk() throws Exception {
    CollectedArchive archive = pack("*.csv");

    assertThat(archive.file()).isNull();
    assertThat(archive.files().leftOut())
        .containsExactly(new LeftOut("*.csv", "nothing matches this pattern"));
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void archive_that_is_released_leaves_nothing_on_the_disk() throws Exception {
    write("a", "a");
    CollectedArchive archive = pack("a");
    assertThat(scratch).isNotEmptyDirectory();

    archive.release();

    assertThat(scratch).isEmptyDirectory();
  }

  private CollectedArchive pack(String... patterns) throws IOException {
    return pack(CollectRule.NONE.of(List.of(patterns)));
  }

  private CollectedArchive pack(CollectRule rule) throws IOException {
    return CollectedArchive.pack(directory, rule, null, scratch);
  }

  private void write(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private Map<String, String> unpacked(CollectedArchive archive) throws IOException {
    Path folder = Files.createDirectory(temp.resolve("unpacked"));
    try (InputStream in = Files.newInputStream(archive.file())) {
      long unused = Tree.unpack(in, folder, 1 << 20);
    }
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        contents.put(folder.relativize(path).toString(), Files.readString(path));
      }
    }
    return contents;
  }
}
