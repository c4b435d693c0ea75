package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

/** A benchmark at a size that shows only that it works. */
final class TinyRun {
  private TinyRun() {}

  static void leavesNothingBehind(String benchmark, long tasks, Path scratch)
      throws IOException, InterruptedException {
    BenchCommand command = new BenchCommand();
    command.names.add(benchmark);
    command.tasks = tasks;
    command.scratch = scratch;
    assertThat(command.call()).isZero();
    assertThat(scratch).isEmptyDirectory();
  }
}
