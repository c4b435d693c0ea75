package io.cloudkon.faults;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A worker in a process of its own. */
public final class WorkerProcess implements AutoCloseable {
  /** Short, so that a test need not wait long for the end of a dead worker's lease. */
  static final Duration LEASE = Duration.ofSeconds(4);

  static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Pattern GREETING = Pattern.compile("cloudkon worker (\\S+): \\d+ slots?");

  private final Running process;

  private WorkerProcess(Running process) {
    this.process = process;
  }

  /** How a worker is started. */
  public static final class Recipe {
    private final Path folder;
    private final List<String> before = new ArrayList<>();
    private final List<String> jvm = new ArrayList<>();
    private final List<String> arguments;
    private final Map<String, String> environment;
    private int slots = 2;

    public Recipe(TestCluster cluster, Path folder) {
      this.folder = folder;
      this.arguments = new ArrayList<>(List.of("-s", cluster.name()));
      this.environment = new HashMap<>(cluster.environment());
    }

    /** Default: 2. */
    public Recipe slots(int number) {
      slots = number;
      return this;
    }

    public Recipe with(String... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    public Recipe shortLease() {
      return with("--lease", LEASE.toSeconds() + "s", "--clock-margin", MARGIN.toSeconds() + "s");
    }

    public Recipe environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** Started by another command, which becomes the worker. */
    public Recipe by(List<String> command) {
      before.addAll(command);
      return this;
    }

    public Recipe jvm(String... options) {
      jvm.addAll(List.of(options));
      return this;
    }

    /** For a worker of which nothing is asked but that it ends. */
    public Running run() {
      List<String> all = new ArrayList<>(arguments);
      all.addAll(List.of("-t", Integer.toString(slots)));
      List<String> command = new ArrayList<>(before);
      command.addAll(Processes.command("cloudkon-worker", jvm, all, environment));
      return Processes.start(command, Path.of("/dev/null"), environment, folder);
    }

    public WorkerProcess start() {
      return new WorkerProcess(run());
    }
  }

  /** Whether it works already. */
  public boolean ready() {
    return GREETING.matcher(process.stderr()).find();
  }

  public WorkerProcess awaitReady() {
    await()
        .atMost(START_LIMIT)
        .failFast("the process is to live", process::requireAlive)
        .until(this::ready);
    return this;
  }

  /** Its id; it must be ready. */
  public String id() {
    Matcher greeting = GREETING.matcher(process.stderr());
    if (!greeting.find()) {
      throw new IllegalStateException("not ready");
    }
    return greeting.group(1);
  }

  public boolean alive() {
    return process.alive();
  }

  public void kill() {
    process.kill();
  }

  public void signal(String signal) {
    process.signal(signal);
  }

  /** A second SIGTERM, after the time in which it would belong to the first one. */
  void terminateAgain() {
    long later = System.nanoTime() + ClientProcess.APART.toNanos();
    await().atMost(START_LIMIT).until(() -> System.nanoTime() - later >= 0);
    signal("TERM");
  }

  public int awaitExit(Duration limit) throws InterruptedException {
    return process.awaitExit(limit);
  }

  public String stderr() {
    return process.stderr();
  }

  long pid() {
    return process.pid();
  }

  /** Where its log is. */
  Path log() {
    return process.errors();
  }

  @Override
  public void close() {
    process.close();
  }
}
