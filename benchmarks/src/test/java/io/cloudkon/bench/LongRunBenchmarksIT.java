package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Benchmarks of many tasks run at a tiny size, beside those of {@link BenchmarksIT}. */
@Tag("slow")
class LongRunBenchmarksIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"throughput, 3000", "large, 3000", "ship, 3", "micro, 1"})
  void benchmark_runs_at_a_tiny_size_and_leaves_nothing_behind(String name, long tasks)
      throws IOException, InterruptedException {
    TinyRun.leavesNothingBehind(name, tasks, folder);
  }
}
