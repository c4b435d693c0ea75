package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a command does to its copies, the next one finds them as they were shipped. */
class StagedDirectoryTest {
  @TempDir Path temp;
  private final Interruption interruption = new Interruption();
  private Path ship;
  private Path folder;

  /** Has folders of the same names, with more in them. */
  private Path elsewhere;

  @BeforeEach
  void make() throws IOException {
    ship = Files.createDirectory(temp.resolve("data"));
    Files.createDirectories(ship.resolve("a/b"));
    Files.createDirectory(ship.resolve("empty"));
    Files.writeString(ship.resolve("one"), "one\n");
    Files.writeString(ship.resolve("a/two"), "two\n");
    Files.writeString(ship.resolve("a/b/three"), "three\n");
    Files.writeString(ship.resolve("run.sh"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        ship.resolve("run.sh"), PosixFilePermissions.fromString("rwx------"));
    Files.createSymbolicLink(ship.resolve("link"), Path.of("a/two"));
    FileTrees.protect(ship);
    folder = Files.createDirectory(temp.resolve("task"));
    elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Files.createDirectories(elsewhere.resolve("data/a/b"));
    Files.createDirectories(elsewhere.resolve("a/b"));
    Files.createDirectories(elsewhere.resolve("b"));
    for (String place : List.of("data/a/b", "a/b", "b")) {
      Files.writeString(elsewhere.resolve(place).resolve("precious"), "precious");
    }
  }

  private StagedDirectory stage() throws Exception {
    return StagedDirectory.of(folder, List.of(ship), interruption);
  }

  /** Every name with what it is: kind, rights, content. */
  private Map<String, String> state() throws IOException {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        state.put(folder.relativize(path).toString(), describe(path));
      }
    }
    return state;
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "link to " + Files.readSymbolicLink(path);
    }
    String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return Files.isDirectory(path) ? rights : rights + " " + Files.readString(path);
  }

  /**
   * Waits until the file system's clock has moved on, 0.1 s: within one tick of it the status of a
   * file does not tell two writes apart.
   */
  private void settle(StagedDirectory stage) throws Exception {
    while (FileStatus.of(folder.resolve("data/one")) instanceof FileStatus now
        && !now.isSettled(System.currentTimeMillis())) {
      Thread.onSpinWait();
    }
    stage.restore(interruption);
  }

  @Test
  void write_that_keeps_size_and_time_is_seen() throws Exception {
    StagedDirectory stage = stage();
    Map<String, String> fresh = state();
    for (boolean settled : List.of(false, true)) {
      if (settled) {
        settle(stage);
      }
      Path file = folder.resolve("data/one");
      FileTime time = Files.getLastModifiedTime(file);
      Files.writeString(file, "two\n", StandardOpenOption.WRITE);
      Files.setLastModifiedTime(file, time);

      stage.restore(interruption);
      assertThat(state()).isEqualTo(fresh);
    }
  }

  @Test
  void names_that_change_places_are_seen() throws Exception {
    StagedDirectory stage = stage();
    settle(stage);
    Map<String, String> fresh = state();
    Path data = folder.resolve("data");
    Files.move(data.resolve("one"), data.resolve("x"));
    Files.move(data.resolve("a/two"), data.resolve("one"));
    Files.move(data.resolve("x"), data.resolve("a/two"));
    Files.move(data.resolve("a/b"), data.resolve("empty/b"));

    stage.restore(interruption);
    assertThat(state()).isEqualTo(fresh);
  }

  @Test
  void other_name_of_a_file_outside_reaches_nobody() throws Exception {
    StagedDirectory stage = stage();
    settle(stage);
    Path outside = Files.createLink(temp.resolve("outside"), folder.resolve("data/one"));

    stage.restore(interruption);
    Files.writeString(outside, "changed\n");
    assertThat(folder.resolve("data/one")).hasContent("one\n");
  }

  @Test
  void original_is_untouched_and_what_is_added_goes_at_once() throws Exception {
    StagedDirectory stage = stage();
    Files.writeString(folder.resolve("result"), "x".repeat(1000));
    Files.createDirectories(folder.resolve("data/empty/deep/er"));
    Path closed = Files.createDirectory(folder.resolve("data/closed"));
    Files.writeString(closed.resolve("f"), "");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));

    stage.clear();
    assertThat(folder).isDirectoryNotContaining("glob:**result");
    assertThat(folder.resolve("data/empty")).isEmptyDirectory();
    assertThat(closed).doesNotExist();
    stage.restore(interruption);
    assertThat(folder.resolve("data/a/b/three")).hasContent("three\n");
    assertThat(ship.resolve("one")).hasContent("one\n");
  }

  @Test
  void link_in_the_place_of_a_folder_leads_nobody_to_remove_what_lies_there() throws Exception {
    for (String place : List.of("data/a", "data", "")) {
      StagedDirectory stage = stage();
      Path replaced = folder.resolve(place);
      FileTrees.remove(replaced);
      Files.createSymbolicLink(
          replaced,
          place.equals("data/a")
              ? elsewhere.resolve("a")
              : place.isEmpty() ? elsewhere : elsewhere.resolve("data"));

      assertThatThrownBy(stage::clear).isInstanceOf(IOException.class);
      assertThat(elsewhere.resolve("a/b/precious")).exists();
      assertThat(elsewhere.resolve("data/a/b/precious")).exists();
      FileTrees.remove(folder);
      Files.createDirectory(folder);
    }
  }

  @Test
  void folder_with_other_rights_is_not_used_again() throws Exception {
    StagedDirectory stage = stage();
    settle(stage);
    Files.setPosixFilePermissions(
        folder.resolve("data/a"), PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> stage.restore(interruption)).isInstanceOf(IOException.class);
  }

  /** Ten commands, each of which does something wild to what it finds. */
  @RepeatedTest(30)
  void whatever_a_command_does_the_next_one_finds_it_fresh(RepetitionInfo repetition)
      throws Exception {
    Random random = new Random(repetition.getCurrentRepetition());
    StagedDirectory stage = stage();
    Map<String, String> fresh = state();
    for (int command = 0; command < 10; command++) {
      if (random.nextInt(4) == 0) {
        settle(stage);
      }
      for (int i = random.nextInt(6); i > 0; i--) {
        disturb(random);
      }
      try {
        if (random.nextBoolean()) {
          stage.clear();
        }
        stage.restore(interruption);
      } catch (IOException thrownAway) {
        FileTrees.remove(folder);
        Files.createDirectory(folder);
        stage = stage();
      }
      assertThat(state()).isEqualTo(fresh);
      assertThat(elsewhere.resolve("b/precious")).hasContent("precious");
    }
  }

  private void disturb(Random random) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      walk.forEach(all::add);
    }
    Path any = all.get(random.nextInt(all.size()));
    Path inAny = Files.isDirectory(any, LinkOption.NOFOLLOW_LINKS) ? any : any.getParent();
    switch (random.nextInt(8)) {
      case 0 -> Files.writeString(inAny.resolve("new" + random.nextInt(5)), "new");
      case 1 -> Files.createDirectories(inAny.resolve("dir" + random.nextInt(5) + "/sub"));
      case 2 -> {
        if (!any.equals(folder)) {
          FileTrees.remove(any);
        }
      }
      case 3 -> {
        if (Files.isRegularFile(any, LinkOption.NOFOLLOW_LINKS)) {
          Files.writeString(any, "x", StandardOpenOption.APPEND);
        }
      }
      case 4 -> {
        if (!any.equals(folder)) {
          FileTrees.remove(any);
          Files.createSymbolicLink(any, elsewhere);
        }
      }
      case 5 -> {
        if (!any.equals(folder)) {
          FileTrees.remove(any);
          Files.createDirectory(any);
        }
      }
      case 6 -> {
        if (!Files.isSymbolicLink(any)) {
          Files.setPosixFilePermissions(any, PosixFilePermissions.fromString("rwxr-x--x"));
        }
      }
      default -> {
        if (!any.equals(folder)) {
          Files.move(any, folder.resolve("moved" + random.nextInt(1000)));
        }
      }
    }
  }
}
