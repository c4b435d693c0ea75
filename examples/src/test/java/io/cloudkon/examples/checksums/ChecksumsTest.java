package io.cloudkon.examples.checksums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cloudkon.core.error.UsageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumsTest {
  private static final String EMPTY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  @TempDir Path folder;

  @Test
  void tree_is_the_same_for_the_same_number() throws Exception {
    List<String> names = FileTree.make(Files.createDirectory(folder.resolve("a")), 50);
    List<String> again = FileTree.make(Files.createDirectory(folder.resolve("b")), 50);

    assertThat(names).hasSize(50).doesNotHaveDuplicates().isEqualTo(again);
    for (String name : names) {
      assertThat(folder.resolve("a").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("b").resolve(name));
    }
  }

  @Test
  void lines_of_the_tool_are_read() {
    String printed = EMPTY + "  folder 1/it's file.dat\n" + EMPTY + " *binary\nnonsense\n";

    assertThat(ChecksumLines.parse(printed))
        .isEqualTo(Map.of("folder 1/it's file.dat", EMPTY, "binary", EMPTY));
  }

  @Test
  void first_tool_on_the_path_is_taken() throws Exception {
    Path tool = Files.writeString(folder.resolve("shasum"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));

    ChecksumTool found = ChecksumTool.find(Map.of("PATH", "/nowhere:" + folder));

    assertThat(found.of(List.of("x", "y"))).containsExactly("shasum", "-a", "256", "x", "y");
  }

  @Test
  void machine_without_a_tool_is_told_what_to_install() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ChecksumTool.find(Map.of("PATH", folder.toString())))
        .withMessageContaining("coreutils");
  }

  @Test
  void tool_of_this_machine_agrees_with_java() throws Exception {
    byte[] content = "hello\n".getBytes(StandardCharsets.UTF_8);
    Files.write(folder.resolve("a file"), content);
    ChecksumTool tool = ChecksumTool.find(System.getenv());

    Process process =
        new ProcessBuilder(tool.of(List.of("a file"))).directory(folder.toFile()).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(ChecksumLines.parse(printed))
        .containsEntry(
            "a file",
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
  }
}
