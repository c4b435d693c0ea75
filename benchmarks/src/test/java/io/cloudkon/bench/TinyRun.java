package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A benchmark at a size that shows only that it works. */
final class TinyRun {
  private TinyRun() {}

  static void leavesNothingBehind(String benchmark, long tasks, Path scratch)
      throws IOException, InterruptedException {
    BenchCommand command = new BenchCommand();
    command.names.add(benchmark);
    command.tasks = tasks;
    command.quick = true;
    command.scratch = scratch;
    // what ends within seconds gains nothing from C2
    command.jvm = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    assertThat(command.call()).isZero();
    assertThat(scratch).isEmptyDirectory();
  }
}
