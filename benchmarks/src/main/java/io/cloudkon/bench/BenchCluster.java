package io.cloudkon.bench;

import io.cloudkon.client.cli.ClientMain;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.AotCache;
import io.cloudkon.core.process.ChildCollector;
import io.cloudkon.worker.cli.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A cluster on an emulator of its own, with worker processes. Clients and workers get the flags
 * below: 256 MiB, and the serial collector unless the user has chosen one.
 */
final class BenchCluster implements AutoCloseable {
  static final String HEAP = "-Xmx256m";

  /** The further flags of a client's JVM: those of the launcher. */
  static final List<String> PATIENT =
      List.of(
          "-XX:Tier3InvocationThreshold=800",
          "-XX:Tier3MinInvocationThreshold=400",
          "-XX:Tier3CompileThreshold=8000",
          "-XX:Tier4InvocationThreshold=50000",
          "-XX:Tier4MinInvocationThreshold=6000",
          "-XX:Tier4CompileThreshold=150000",
          "-XX:Tier4BackEdgeThreshold=400000");

  private static final String QUEUE = "bench";
  private static final int SETUP_RETRIES = 5;

  /** The text that a worker prints once it receives. */
  static final String READY = " on queue ";

  private final Setting setting;
  private final BenchEmulator emulator;
  private final BenchWorkers workers = new BenchWorkers();
  private int clients;

  private BenchCluster(Setting setting, BenchEmulator emulator) {
    this.setting = setting;
    this.emulator = emulator;
  }

  /** Starts a cluster; returns when its workers are ready. */
  static BenchCluster start(Setting setting, int workers, int slots)
      throws IOException, InterruptedException {
    BenchEmulator emulator = BenchEmulator.start(setting);
    BenchCluster cluster = new BenchCluster(setting, emulator);
    try {
      cluster.setupPatiently();
      for (int i = 1; i <= workers; i++) {
        cluster.workers.add(
            cluster.program(
                "worker-" + i,
                WorkerMain.class,
                "-s",
                QUEUE,
                "-t",
                Integer.toString(slots),
                "--rmi-tls",
                setting.rmiTlsOption()));
      }
      for (Program worker : cluster.workers.all()) {
        cluster.await(worker);
      }
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      closeAfter(e, cluster::end);
      throw e;
    }
  }

  /** Ends something that cannot be used because of an exception. */
  interface End {
    void end() throws IOException, InterruptedException;
  }

  /** Ends something; what goes wrong meanwhile is suppressed by the exception that came first. */
  static void closeAfter(Exception first, End end) {
    try {
      end.end();
    } catch (IOException | InterruptedException | RuntimeException e) {
      first.addSuppressed(e);
    }
  }

  /**
   * Retries the setup, because an emulator that has just started on a busy machine may be too slow
   * at first.
   */
  private void setupPatiently() throws IOException, InterruptedException {
    for (int failures = 0; ; failures++) {
      try {
        setup();
        return;
      } catch (CloudKonException e) {
        if (failures == SETUP_RETRIES) {
          throw e;
        }
      }
    }
  }

  /** Sets the cluster up with these options; existing parts stay. */
  void setup(String... options) throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of("setup", "-s", QUEUE));
    args.addAll(List.of(options));
    try (Program setup = program("setup", ClientMain.class, args.toArray(String[]::new))) {
      Program unused = setup.end();
    }
  }

  private void await(Program worker) throws IOException, InterruptedException {
    while (!worker.output().contains(READY)) {
      if (worker.ended()) {
        throw new CloudKonException("a worker did not start: " + worker.output());
      }
      checkWorkers();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * Starts another program of CloudKon, with the environment and flags of this cluster. Waits for
   * it end with an exception if a worker dies: without workers it would wait for ever.
   */
  Program program(String name, Class<?> main, String... args) throws IOException {
    return program(name, List.of(), main, args);
  }

  private Program program(String name, List<String> more, Class<?> main, String... args)
      throws IOException {
    List<String> jvm = new ArrayList<>(ChildCollector.options());
    jvm.add(HEAP);
    jvm.addAll(more);
    jvm.addAll(setting.jvm());
    jvm.add("-Dcloudkon.home=" + setting.home()); // where a provisioner finds the worker's jar
    Optional<Path> jar = Checkout.jarBefore(Program.classPath(), setting.home(), main);
    jar.map(AotCache::options).ifPresent(jvm::addAll);
    List<String> before = List.of();
    Map<String, String> environment = emulator.environment();
    if (main == WorkerMain.class) {
      environment = new HashMap<>(environment);
      environment.put("CLOUDKON_DRAIN_ON_EOF", "true"); // as a provisioner's workers
      before = MountNamespace.command();
      jvm.addAll(MountNamespace.jvmOptions());
    }
    return Program.start(
            name, setting.scratch(), environment, before, jvm, jar, main.getName(), List.of(args))
        .watching(workers::check);
  }

  String queue() {
    return QUEUE;
  }

  Map<String, String> environment() {
    return emulator.environment();
  }

  double emulatorCpuSeconds() {
    return emulator.cpuSeconds();
  }

  /** Runs a client, which must end successfully, and all workers must live afterwards. */
  Program client(Path workload, String... options) throws IOException, InterruptedException {
    try (Program client = startClient("client-" + ++clients, workload, options)) {
      Program ended = client.end();
      checkWorkers();
      return ended;
    }
  }

  /**
   * Checks that all workers live.
   *
   * @throws CloudKonException if one has died
   */
  void checkWorkers() throws IOException {
    workers.check();
  }

  /** Waits until a client has written its first result to its folder or has ended. */
  void awaitFirstResult(Program client, Path folder) throws IOException, InterruptedException {
    Path results = folder.resolve("results.jsonl");
    while (!client.ended() && (!Files.exists(results) || Files.size(results) == 0)) {
      checkWorkers();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Starts a client that runs in parallel with others. */
  Program startClient(String name, Path workload, String... options) throws IOException {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("client", "-s", QUEUE, "-w", workload.toString(), "--no-progress"));
    args.addAll(List.of(options));
    return program(name, PATIENT, ClientMain.class, args.toArray(String[]::new));
  }

  /** Drains the workers; their measurements are available afterwards. */
  List<Program> endWorkers() throws InterruptedException {
    workers.end();
    return workers.all();
  }

  /**
   * Ends all processes.
   *
   * @throws CloudKonException if a worker had died before
   */
  @Override
  public void close() throws IOException, InterruptedException {
    try {
      checkWorkers();
    } finally {
      end();
    }
  }

  private void end() throws IOException, InterruptedException {
    try {
      workers.end();
    } finally {
      emulator.close();
    }
  }
}
