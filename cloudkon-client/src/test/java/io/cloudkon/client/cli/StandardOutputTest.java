package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StandardOutputTest {
  @Test
  void closed_pipe_is_known_in_other_languages() {
    assertThat(StandardOutput.isBrokenPipe("Broken pipe")).isTrue();
    assertThat(StandardOutput.isBrokenPipe("Datenübergabe unterbrochen (broken pipe)")).isTrue();
    assertThat(StandardOutput.isBrokenPipe("No space left on device")).isFalse();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void pipe_is_told_from_other_files(@TempDir Path temp) throws Exception {
    Path pipe = temp.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThat(StandardOutput.isPipe(pipe)).isTrue();
    assertThat(StandardOutput.isPipe(Files.createFile(temp.resolve("file")))).isFalse();
    assertThat(StandardOutput.isPipe(Path.of("/dev/null"))).isFalse();
    assertThat(StandardOutput.isPipe(temp.resolve("gone"))).isFalse();
  }
}
