package io.cloudkon.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A provisioner with its worker processes, in a process of its own. */
public final class ProvisionerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final int STATE = 0;
  private static final int START = 19;
  private static final String GREETING = "cloudkon worker ";
  private static final String ON_QUEUE = " on queue ";

  /** As the launcher script says it. */
  private static final String HOME = "-Dcloudkon.home=" + System.getProperty("cloudkon.home");

  private final Running process;
  private final Path folder;

  private ProvisionerProcess(Running process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * Starts one that looks every second. All that are started in one folder know each other's
   * workers.
   */
  public static ProvisionerProcess start(
      TestCluster cluster, Path folder, Map<String, String> environment, String... options) {
    List<String> arguments = new ArrayList<>(List.of("-s", cluster.name()));
    arguments.addAll(List.of("--launcher", "process", "--interval", "1s"));
    arguments.addAll(List.of("--state", folder.resolve("state").toString()));
    arguments.addAll(List.of("--logs", folder.resolve("logs").toString()));
    arguments.addAll(List.of(options));
    Map<String, String> all = new HashMap<>(cluster.environment());
    all.putAll(environment);
    return new ProvisionerProcess(
        Processes.start("cloudkon-provisioner", List.of(HOME), arguments, all, folder), folder);
  }

  /** What {@code --explain} prints. */
  public static String explain(TestCluster cluster, Path folder) throws InterruptedException {
    Running process =
        Processes.start(
            "cloudkon-provisioner",
            List.of(),
            List.of("-s", cluster.name(), "--explain"),
            cluster.environment(),
            folder);
    int code = process.awaitExit(START_LIMIT);
    if (code != 0) {
      throw new AssertionError(code + ": " + process.stderr());
    }
    return process.stdout();
  }

  /** Whether it has greeted. */
  public ProvisionerProcess awaitReady() {
    await()
        .atMost(START_LIMIT)
        .failFast("the process is to live", process::requireAlive)
        .until(() -> process.stderr().contains("workers of"));
    return this;
  }

  /**
   * The instances whose process was started in this folder. While a process becomes a worker, its
   * file is there for a moment under a second name, which has its number behind another dot.
   */
  static List<Path> started(Path folder) {
    Path state = folder.resolve("state");
    if (!Files.isDirectory(state)) {
      return List.of();
    }
    try (Stream<Path> clusters = Files.list(state)) {
      return clusters.flatMap(cluster -> instances(cluster).stream()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> instances(Path cluster) {
    return files(cluster).stream()
        .filter(file -> file.getFileName().toString().matches("[^.]+\\.[0-9]+"))
        .toList();
  }

  /** The processes of workers that live, launched by whichever provisioner of this folder. */
  public static List<ProcessHandle> workers(Path folder) {
    return started(folder).stream()
        .filter(ProvisionerProcess::lives)
        .flatMap(file -> ProcessHandle.of(Long.parseLong(lines(file).toList().getFirst())).stream())
        .toList();
  }

  /**
   * Whether this very process lives. On a busy machine its number soon belongs to another process,
   * or to a thread of one, so its start must be the one that its file names. One that has ended
   * while whoever started it is frozen, and cannot be told, lives no more.
   */
  private static boolean lives(Path file) {
    List<String> lines = lines(file).toList();
    try {
      List<String> now = stat(Files.readString(Path.of("/proc", lines.getFirst(), "stat")));
      return now.get(START).equals(stat(lines.getLast()).get(START)) && !now.get(STATE).equals("Z");
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  /** What stands behind the command's name. */
  private static List<String> stat(String line) {
    return List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1));
  }

  /** How often a worker began to work in this folder. */
  public static long greetings(Path folder) {
    return files(folder.resolve("logs")).stream()
        .flatMap(ProvisionerProcess::lines)
        .filter(line -> line.startsWith(GREETING) && line.contains(ON_QUEUE))
        .count();
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  public int awaitExit(Duration limit) throws InterruptedException {
    return process.awaitExit(limit);
  }

  public String stderr() {
    return process.stderr();
  }

  public String stdout() {
    return process.stdout();
  }

  /** Kills it and all workers of its folder. */
  @Override
  public void close() {
    process.close();
    workers(folder).forEach(ProcessHandle::destroyForcibly);
  }
}
