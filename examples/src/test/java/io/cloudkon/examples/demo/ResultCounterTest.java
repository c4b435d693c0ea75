package io.cloudkon.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultCounterTest {
  @TempDir Path folder;

  @Test
  void growing_file_is_counted_by_whole_lines() throws Exception {
    Path file = folder.resolve("results.jsonl");
    ResultCounter counter = new ResultCounter(file);
    assertThat(counter.lines()).isZero();

    Files.writeString(file, "{}\n{\"half");
    assertThat(counter.lines()).isEqualTo(1);
    assertThat(counter.lines()).isEqualTo(1);

    String lines = "\":1}\n" + "{\"task\":\"1\"}\n".repeat(20_000);
    Files.writeString(file, lines, StandardOpenOption.APPEND);
    assertThat(counter.lines()).isEqualTo(20_002);
  }
}
