package io.cloudkon.local.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
  @TempDir Path temporary;

  @Test
  void delete_takes_everything_in_it_but_what_a_link_leads_to() throws Exception {
    Path elsewhere = Files.writeString(temporary.resolve("elsewhere"), "x");
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    Files.createDirectories(folder.resolve("a/b"));
    Files.writeString(folder.resolve("a/b/file"), "x");
    Files.createSymbolicLink(folder.resolve("link"), elsewhere);
    Files.createSymbolicLink(folder.resolve("up"), temporary);
    PrivateFolder.delete(folder);
    assertThat(temporary).isDirectoryContaining(elsewhere::equals);
    assertThat(folder).doesNotExist();
  }

  @Test
  void delete_of_what_is_not_there_does_nothing() {
    PrivateFolder.delete(temporary.resolve("none"));
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void delete_of_what_two_delete_at_once_leaves_nothing() throws Exception {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    for (int i = 0; i < 500; i++) {
      Files.writeString(Files.createDirectory(folder.resolve("d" + i)).resolve("file"), "x");
    }
    Thread other = Thread.ofVirtual().start(() -> PrivateFolder.delete(folder));
    PrivateFolder.delete(folder);
    other.join();
    assertThat(folder).doesNotExist();
  }
}
