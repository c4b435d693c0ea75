package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Benchmarks of single calls and starts run at a tiny size, so that none can rot. */
@Execution(ExecutionMode.CONCURRENT)
class BenchmarksIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"lonely, 3", "session, 3", "start, 1"})
  void benchmark_runs_at_a_tiny_size_and_leaves_nothing_behind(String name, long tasks)
      throws IOException, InterruptedException {
    TinyRun.leavesNothingBehind(name, tasks, folder);
  }
}
