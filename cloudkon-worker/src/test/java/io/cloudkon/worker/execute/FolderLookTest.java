package io.cloudkon.worker.execute;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.worker.execute.spawn.NativeCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLookTest {
  @TempDir Path folder;

  @Test
  void tells_what_is_as_it_was_of_files_and_links_and_of_nothing_else() throws Exception {
    assumeTrue(
        NativeCalls.arePossible(),
        "the quick look at shipped files was not tried: it takes Linux on x86-64 or ARM64");
    List<Path> files = new ArrayList<>();
    List<FileStatus> then = new ArrayList<>();
    for (String name : List.of("same", "written", "rights", "removed", "time", "with space")) {
      files.add(Files.writeString(folder.resolve(name), "x"));
    }
    files.add(Files.createSymbolicLink(folder.resolve("link"), Path.of("removed")));
    for (Path file : files) {
      then.add(requireNonNull(FileStatus.of(file)));
    }
    Files.writeString(files.get(1), "y", StandardOpenOption.APPEND);
    Files.setPosixFilePermissions(files.get(2), PosixFilePermissions.fromString("r-x------"));
    Files.delete(files.get(3));
    Files.setLastModifiedTime(files.get(4), FileTime.fromMillis(1));

    Set<String> unchanged = new TreeSet<>();
    try (FolderLook look = requireNonNull(FolderLook.begin())) {
      FolderNames names = requireNonNull(FolderNames.of(folder, files));
      look.compare(
          names, then::get, i -> unchanged.add(String.valueOf(files.get(i).getFileName())));
    }

    assertThat(unchanged).containsExactly("link", "same", "with space");
  }

  @Test
  void names_that_java_may_encode_otherwise_are_left_to_the_slower_look() {
    assertThat(FolderNames.isPlain(Path.of("/a/b c"))).isTrue();
    assertThat(FolderNames.isPlain(Path.of("/a/\u00e4"))).isFalse();
    assertThat(FolderNames.of(Path.of("/\u00e4"), List.of(Path.of("/\u00e4/f")))).isNull();
  }
}
