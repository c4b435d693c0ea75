package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.codec.ResultStream;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaptureTest {
  private static final int LARGE = 200_000_000;
  private static final int CHUNK = 16 * 1024;
  private static final byte[] NOTHING = {};

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"0, 100", "65536, 1000000", "100000, 65536", "65537, 0"})
  void small_output_stays_in_memory(int written, int limit) throws Exception {
    byte[] output = random(written);
    Capture capture = captured(output, limit, () -> temp);

    assertThat(capture.spooled()).isNull();
    assertThat(capture.head()).isEqualTo(Arrays.copyOf(output, Math.min(written, limit)));
    assertThat(capture.total()).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource({"65537, 1000000", "3000000, 3000000", "3000000, 65537", "3000000, 2999999"})
  void large_output_lies_on_disk_under_no_name(int written, int limit) throws Exception {
    byte[] output = random(written);
    Capture capture = captured(output, limit, () -> temp);

    assertThat(capture.head()).isEmpty();
    Spooled spooled = capture.spooled();
    assertThat(Spools.head(NOTHING, spooled, Integer.MAX_VALUE))
        .isEqualTo(Arrays.copyOf(output, Math.min(written, limit)));
    assertThat(Spools.head(NOTHING, spooled, 3)).isEqualTo(Arrays.copyOf(output, 3));
    assertThat(capture.total()).isEqualTo(written);
    assertThat(temp).isEmptyDirectory();

    capture.close();
    spooled.release();
    spooled.release();
    assertThatThrownBy(() -> spooled.bytes().get()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void without_room_on_disk_the_output_is_cut_and_counted_to_its_end() throws Exception {
    byte[] output = random(1_000_000);
    Capture capture =
        captured(
            output,
            1_000_000,
            () -> {
              throw new IOException("No space left on device");
            });

    assertThat(capture.spooled()).isNull();
    assertThat(capture.head().length).isBetween(1, Capture.IN_MEMORY);
    assertThat(capture.head()).isEqualTo(Arrays.copyOf(output, capture.head().length));
    assertThat(capture.total()).isEqualTo(1_000_000);
  }

  @Test
  void hundreds_of_megabytes_take_no_heap() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-Djava.io.tmpdir=" + temp,
                "-cp",
                System.getProperty("java.class.path"),
                CaptureTest.class.getName(),
                temp.resolve("encoded").toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).endsWith("2 results\n");
    assertThat(Files.size(temp.resolve("encoded"))).isBetween(4L * LARGE, 4L * LARGE + 1000);
    assertThat(process.waitFor()).isZero();
  }

  /** Two slots, each with 200 MB on both streams, encoded for the blob store. */
  public static void main(String[] args) throws Exception {
    RunnerConfig config =
        new RunnerConfig(RunnerConfig.DEFAULT.allowed(), 256 << 20, null, Duration.ofMinutes(10));
    List<TaskResult> results = new ArrayList<>();
    try (TaskRunner runner =
        new TaskRunner(config, HandlerRegistry.builtIn(), Clock.systemUTC(), t -> {})) {
      List<CompletableFuture<TaskOutcome>> running = new ArrayList<>();
      String line = "head -c %d /dev/zero; head -c %d /dev/zero >&2".formatted(LARGE, LARGE);
      for (int i = 0; i < 2; i++) {
        CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
        running.add(outcome);
        Thread.ofPlatform()
            .start(() -> {
              try {
                TaskEnvironment around = TaskEnvironment.bare("r", 256 << 20);
                outcome.complete(runner.run(around, Tasks.shell(line), new Interruption()));
              } catch (Throwable t) {
                outcome.completeExceptionally(t);
              }
            });
      }
      for (CompletableFuture<TaskOutcome> each : running) {
        TaskOutcome o = each.join();
        results.add(
            new TaskResult(
                    results.size(),
                    "" + results.size(),
                    o.status(),
                    o.exitCode(),
                    o.stdout(),
                    o.stdoutBytes(),
                    o.stderr(),
                    o.stderrBytes(),
                    o.output(),
                    o.outputBytes(),
                    o.error(),
                    o.startedMicros(),
                    o.finishedMicros(),
                    1)
                .with(o.spools()));
      }
      ResultBatch batch =
          new ResultBatch(
              "r",
              "e",
              "r/e/0",
              new ResultBatch.WorkerId("w", 1, 0),
              1,
              "nonce",
              new ResultBatch.BundleStamps(1, 1, 1, 1, 1),
              results,
              List.of(),
              "");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[0])))) {
        ResultStream.write(batch, out);
      }
      results.forEach(result -> result.spools().release());
    }
    System.out.println(results.size() + " results");
    System.exit(0);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static Capture captured(byte[] output, int limit, Capture.Disk disk) {
    Capture capture = new Capture(limit, disk);
    for (int from = 0; from < output.length; from += CHUNK) {
      byte[] chunk = Arrays.copyOfRange(output, from, Math.min(output.length, from + CHUNK));
      capture.take(chunk, chunk.length);
    }
    capture.end();
    return capture;
  }
}
