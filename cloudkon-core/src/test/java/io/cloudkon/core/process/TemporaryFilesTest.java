package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {
  @TempDir private Path temp;

  /** A halt, which ends a client on SIGTERM, left them. */
  @Test
  void files_are_removed_and_then_their_folder() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("folder"));
    TemporaryFiles.removeAtEnd(folder);
    TemporaryFiles.removeAtEnd(Files.createFile(folder.resolve("a")));
    TemporaryFiles.removeAtEnd(folder.resolve("gone"));

    TemporaryFiles.remove();

    assertThat(folder).doesNotExist();
  }

  @Test
  void brief_file_is_removed_until_it_is_forgotten() throws IOException {
    Path held = Files.createFile(temp.resolve("held"));
    Path forgotten = Files.createFile(temp.resolve("forgotten"));
    TemporaryFiles.removeAtHalt(held);
    TemporaryFiles.removeAtHalt(forgotten);
    TemporaryFiles.forget(forgotten);

    TemporaryFiles.remove();

    assertThat(held).doesNotExist();
    assertThat(forgotten).exists();
  }
}
