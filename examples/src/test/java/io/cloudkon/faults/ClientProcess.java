package io.cloudkon.faults;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client with one run in a process of its own. */
public final class ClientProcess implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** A little longer than the time in which two signals are one Ctrl-C. */
  static final Duration APART = Duration.ofMillis(350);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Running process;
  private final Path out;
  private long read;
  private long lines;

  private ClientProcess(Running process, Path out) {
    this.process = process;
    this.out = out;
  }

  public static ClientProcess start(
      TestCluster cluster,
      Path folder,
      Consistency mode,
      List<String> workload,
      Map<String, String> environment,
      String... options) {
    try {
      Path file = Files.write(folder.resolve("workload.txt"), workload);
      Path out = folder.resolve("results");
      List<String> arguments =
          new ArrayList<>(
              List.of("-s", cluster.name(), "-w", file.toString(), "--out", out.toString()));
      arguments.addAll(List.of("--consistency", mode.label()));
      arguments.addAll(List.of(options));
      Map<String, String> all = new HashMap<>(cluster.environment());
      all.putAll(environment);
      return new ClientProcess(
          Processes.start("cloudkon-client", List.of(), arguments, all, folder), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another client that goes on with the run of one that was started in this folder. */
  public static ClientProcess resume(
      TestCluster cluster, Path folder, String run, String... options) {
    Path out = folder.resolve("results");
    List<String> arguments =
        new ArrayList<>(List.of("-s", cluster.name(), "--resume", run, "--out", out.toString()));
    arguments.addAll(List.of(options));
    return new ClientProcess(
        Processes.start("cloudkon-client", List.of(), arguments, cluster.environment(), folder),
        out);
  }

  /** A second Ctrl-C, after the time in which it would belong to the first one. */
  public void interruptAgain() throws Exception {
    await().atMost(SOON).until(() -> stderr().contains("press Ctrl-C again"));
    long later = System.nanoTime() + APART.toNanos();
    await().atMost(SOON).until(() -> System.nanoTime() - later >= 0);
    signal("INT");
  }

  /** How many tasks have their final result. */
  public long finished() {
    Path results = out.resolve("results.jsonl");
    if (!Files.exists(results)) {
      return 0;
    }
    try (FileChannel file = FileChannel.open(results)) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      while (file.read(bytes.clear(), read) > 0) {
        for (int i = 0; i < bytes.position(); i++) {
          lines += bytes.get(i) == '\n' ? 1 : 0;
        }
        read += bytes.position();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  public void awaitFinished(long tasks, Duration limit) {
    await()
        .atMost(limit)
        .failFast("the process is to live", process::requireAlive)
        .until(() -> finished() >= tasks);
  }

  public boolean alive() {
    return process.alive();
  }

  public void signal(String signal) {
    process.signal(signal);
  }

  public void kill() {
    process.kill();
  }

  /** Its exit code. If it does not end within the limit, the failure tells what it has printed. */
  public int awaitExit(Duration limit) throws InterruptedException {
    try {
      return process.awaitExit(limit);
    } catch (AssertionError e) {
      e.addSuppressed(new AssertionError("%d results; it said: %s".formatted(finished(), said())));
      throw e;
    }
  }

  public String stdout() {
    return process.stdout();
  }

  public String stderr() {
    return process.stderr();
  }

  /** All that it has printed so far. */
  public String said() {
    return process.said();
  }

  /** The lines of its results by task; that no task has two is asserted. */
  public Results results() {
    return Results.read(out.resolve("results.jsonl"));
  }

  public JsonNode report() {
    try {
      return JSON.readTree(out.resolve("report.json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
