package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A benchmark that ends early leaves no process behind. */
@Tag("slow")
class InterruptedBenchmarkIT {
  private static final Duration STARTED = Duration.ofMinutes(2);

  @TempDir Path folder;
  private Process bench;
  private Path output;
  private Path scratch;
  private List<ProcessHandle> started = List.of();

  @BeforeEach
  void startUntilTheLoopRuns() throws IOException {
    output = folder.resolve("output.txt");
    scratch = Files.createDirectory(folder.resolve("scratch"));
    ProcessBuilder builder =
        new ProcessBuilder(
                Program.java(),
                "-XX:TieredStopAtLevel=1",
                "-Dcloudkon.home=" + Checkout.home(),
                "-cp",
                Program.classPath(),
                BenchMain.class.getName(),
                "lonely",
                "--tasks",
                "1000000",
                "--scratch",
                scratch.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    bench = builder.start();
    await().atMost(STARTED).until(() -> clientRuns() || !bench.isAlive());
    assertThat(bench.isAlive()).as(Files.readString(output)).isTrue();
    started = bench.descendants().toList();
    // the emulator, a worker and the client
    assertThat(started).hasSizeGreaterThanOrEqualTo(3);
  }

  /** Whether the client has begun, which is the last program that starts. */
  private boolean clientRuns() throws IOException {
    try (Stream<Path> files = Files.walk(scratch)) {
      return files.anyMatch(file -> file.endsWith("lonely.log"));
    }
  }

  @AfterEach
  void killAll() {
    started.forEach(ProcessHandle::destroyForcibly);
    bench.destroyForcibly();
  }

  @Test
  void signal_ends_all_that_was_started_and_removes_its_files() throws Exception {
    bench.destroy();

    assertThat(bench.waitFor()).isNotZero();
    await().untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
    assertThat(scratch).isEmptyDirectory();
    assertThat(output)
        .content()
        .contains("ended early, and everything that it had started with it");
  }

  @Test
  void processes_of_a_benchmark_that_was_killed_end_by_themselves() {
    bench.destroyForcibly();

    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
  }
}
