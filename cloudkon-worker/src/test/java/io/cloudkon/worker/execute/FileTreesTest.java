package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreesTest {
  @TempDir Path temp;

  private Path chain(String name) throws IOException {
    Path end = temp.resolve(name);
    for (int i = 0; i < 15; i++) {
      end = end.resolve("d".repeat(200));
    }
    Files.createDirectories(end);
    Files.writeString(end.resolve("file"), "x");
    Path outside = Files.writeString(temp.resolve("outside"), "kept");
    Files.createSymbolicLink(end.resolve("link"), outside);
    return end;
  }

  @Test
  void tree_whose_paths_are_longer_than_the_system_takes_is_removed() throws IOException {
    Path end = chain("tree");
    Path unused = chain("more");
    Path moved = Files.move(temp.resolve("more"), end.resolve("more"));
    assertThat(moved).isDirectory();

    FileTrees.remove(temp.resolve("tree"));

    assertThat(temp.resolve("tree")).doesNotExist();
    assertThat(temp.resolve("outside")).hasContent("kept");
  }
}
