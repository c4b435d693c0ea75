package io.cloudkon.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWriteTest {
  @TempDir Path folder;

  @Test
  void file_has_as_many_bytes_as_asked_for() throws IOException {
    Path file = folder.resolve("copy");
    assertThat(DiskWrite.seconds(file, "abc".getBytes(UTF_8), 8)).isPositive();
    assertThat(file).hasContent("abcabcab");
  }
}
