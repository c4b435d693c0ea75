package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SampleHeader;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShipPathsTest {
  @TempDir Path folder;

  private Path content() {
    return folder.resolve(".");
  }

  private void write(String... names) throws IOException {
    for (String name : names) {
      Files.writeString(folder.resolve(name), name);
    }
  }

  @Test
  void files_and_folders_are_shipped_as_they_are_named() {
    List<Path> given = List.of(Path.of("src"), Path.of(".."), Path.of("pom.xml"));

    assertThat(ShipPaths.of(given)).isEqualTo(new ShipPaths(given, List.of()));
    assertThat(ShipPaths.of(given).note()).isEmpty();
  }

  @Test
  void path_that_ends_in_a_dot_is_everything_in_that_folder() throws IOException {
    write("b.csv", "a.sh");
    Files.createDirectory(folder.resolve("data"));

    ShipPaths ships = ShipPaths.of(List.of(Path.of("pom.xml"), content()));

    assertThat(ships.paths())
        .containsExactly(
            Path.of("pom.xml"),
            folder.resolve("a.sh"),
            folder.resolve("b.csv"),
            folder.resolve("data"));
    assertThat(ships.leftOut()).isEmpty();
  }

  @Test
  void dot_alone_is_everything_here_by_plain_names() {
    assertThat(ShipPaths.of(List.of(Path.of("."))).paths())
        .contains(Path.of("pom.xml"), Path.of("src"));
  }

  @Test
  void hidden_files_and_folders_of_runs_are_left_out_and_named() throws IOException {
    write("a.sh", ".hidden");
    Path run = folder.resolve("earlier");
    SampleHeader.write(
        RunFolder.choose("r", Optional.of(run.toString()), false),
        SampleHeader.of("r", "Q", "", "tasks.txt"));

    ShipPaths ships = ShipPaths.of(List.of(content()));

    assertThat(ships.paths()).containsExactly(folder.resolve("a.sh"));
    assertThat(ships.note())
        .isEqualTo(
            Optional.of(
                "not shipped, as they are hidden or folders of runs: %s, %s; --ship NAME ships one all the same"
                    .formatted(folder.resolve(".hidden"), run)));
  }

  @Test
  void folder_with_nothing_to_ship_is_refused() throws IOException {
    write(".hidden");

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ShipPaths.of(List.of(content())))
        .withMessage(
            "--ship %s: there is nothing to ship in it; expected a file or a folder in %s",
            content(), folder);
  }

  @Test
  void folder_that_is_not_there_is_refused() {
    Path missing = folder.resolve("missing").resolve(".");

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ShipPaths.of(List.of(missing)))
        .withMessage("--ship %s: cannot be read; expected a folder of files", missing);
  }

  @Test
  void folder_with_more_than_may_be_shipped_says_how_to_ship_it_as_one() throws IOException {
    for (int i = 0; i <= Limits.SHIPS; i++) {
      write("f" + i);
    }

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ShipPaths.of(List.of(content())))
        .withMessageContaining("65 files and folders are in it; expected at most 64")
        .withMessageEndingWith("or ship %s as one folder, by its name", folder);
  }
}
