package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.UnreliableCloud;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A cluster in memory, workers on real threads, and one client's session in a folder. */
final class SessionBed implements AutoCloseable {
  static final LeaseSettings LEASE = new LeaseSettings(3_000, 500, 500);
  private static final String QUEUE = "Q";

  final UnreliableCloud cloud;
  final Cluster reliable;
  final RunIdentity identity;
  final SystemTime time = new SystemTime();
  final Path folder;
  RunStatistics statistics;
  private long ahead;
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final List<WorkerService> workers = new ArrayList<>();
  final Workload workload;
  RunOptions options;

  SessionBed(Misbehaviour misbehaviour, Consistency consistency, int tasks, Path temp)
      throws IOException {
    this(
        misbehaviour,
        consistency,
        IntStream.range(0, tasks).mapToObj(SessionBed::line).toList(),
        new BundlerSettings(0, 20, 60 * 1024, true),
        temp);
  }

  SessionBed(
      Misbehaviour misbehaviour,
      Consistency consistency,
      List<String> lines,
      BundlerSettings bundler,
      Path temp)
      throws IOException {
    this(misbehaviour, consistency, ClaimScope.BUNDLE, lines, bundler, temp);
  }

  SessionBed(
      Misbehaviour misbehaviour,
      Consistency consistency,
      ClaimScope claim,
      List<String> lines,
      BundlerSettings bundler,
      Path temp)
      throws IOException {
    cloud = new UnreliableCloud(time, misbehaviour);
    cloud.setup(QUEUE);
    reliable = cloud.reliable(QUEUE);
    identity = RunIdentity.fresh(QUEUE, "a-run", new Random());
    statistics = new RunStatistics(time.wallMicros(), calls -> 0);
    folder = temp.resolve("results");
    Path file = temp.resolve(lines.getFirst().startsWith("{") ? "tasks.jsonl" : "tasks.txt");
    Files.write(file, lines);
    workload = Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
    options =
        new RunOptions(
            identity.run(),
            consistency,
            claim,
            65_536,
            2,
            0,
            0,
            bundler,
            new CompletenessSettings(3_000, 1_000, 600_000, 1_000_000_000, 500),
            LEASE);
  }

  private static String line(int task) {
    return switch (task % 3) {
      case 0 -> "noop";
      case 1 -> "sleep 1";
      default -> "java echo " + task;
    };
  }

  /** From here on its clients take the cluster for a fair one. */
  void fair(Priority priority) {
    options = options.with(priority);
  }

  Cluster cluster() {
    return cloud.cluster(QUEUE);
  }

  void worker() {
    worker(cluster());
  }

  void worker(Cluster seen) {
    WorkerSettings settings =
        new WorkerSettings(
            "w" + workers.size(), 4, LEASE, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
    WorkerConfig config =
        new WorkerConfig(settings, RunnerConfig.DEFAULT, Duration.ofSeconds(20), null, null);
    workers.add(new WorkerService(config, seen, handlers, time, List::of));
  }

  RunSession session(Cluster cluster) {
    return new RunSession(
        cluster, options, identity, workload, statistics, time, millis -> millis * 1000);
  }

  RunSession session(Cluster cluster, SessionOptions extras) {
    return new RunSession(
        cluster, options, identity, workload, statistics, time, millis -> millis * 1000, extras);
  }

  /** Runs it until it is over. */
  RunEnd run(RunSession session) throws InterruptedException {
    return session.run(
        RunFolder.choose(identity.run(), Optional.of(folder.toString()), false), "tasks");
  }

  /** Takes the run over from whoever is gone, by another clock that waits for no lease. */
  Takeover.Taken takeOver(Cluster cluster, Path files) throws InterruptedException {
    ahead += 60_000;
    return takeOver(cluster, files, new Ahead(time, ahead), line -> {});
  }

  Takeover.Taken takeOver(Cluster cluster, Path files, TimeSource clock, Consumer<String> say)
      throws InterruptedException {
    return new Takeover(cluster, LEASE, clock, Pause.real(), say)
        .take(
            RunFolder.resume(files).header(),
            RunIdentity.fresh(QUEUE, identity.run(), new Random()),
            files.toString());
  }

  /** A client of its own that goes on with the run in these files. */
  RunEnd resume(Cluster cluster, Path files, SessionOptions extras) throws InterruptedException {
    Takeover.Taken taken = takeOver(cluster, files);
    statistics = new RunStatistics(time.wallMicros(), calls -> 0);
    RunSession session =
        new RunSession(
            cluster,
            options,
            taken.identity(),
            workload,
            statistics,
            time,
            millis -> millis * 1000,
            extras);
    return session.resume(taken, RunFolder.resume(files));
  }

  /** Runs it in a thread of its own; the future holds why it ended. */
  CompletableFuture<RunEnd> start(RunSession session) {
    CompletableFuture<RunEnd> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("session")
        .start(() -> {
          try {
            ended.complete(run(session));
          } catch (InterruptedException | RuntimeException e) {
            ended.completeExceptionally(e);
          }
        });
    return ended;
  }

  /** The lines of {@code results.jsonl}. */
  List<String> results() throws IOException {
    return Files.readAllLines(folder.resolve("results.jsonl"));
  }

  /** The run as it stands. */
  RunEntry entry() {
    return reliable.runs().read(identity.run()).orElseThrow();
  }

  /** That nothing of the run is left in queues or in the blob store. */
  void assertNothingIsLeft() {
    assertThat(reliable.responses().list()).isEmpty();
    assertThat(reliable.blobs().list(identity.run())).isEmpty();
  }

  /** What each line names as its task. */
  List<String> tasksWithResults() throws IOException {
    return results().stream().map(l -> l.replaceFirst("^.*?\"task\":\"(.*?)\".*$", "$1")).toList();
  }

  long count(TaskStatus status) {
    return statistics.count(status);
  }

  RunEntry.State state() {
    return reliable.runs().read(identity.run()).orElseThrow().state();
  }

  @Override
  public void close() throws Exception {
    for (WorkerService worker : workers) {
      worker.kill();
    }
    for (WorkerService worker : workers) {
      worker.close();
    }
    handlers.close();
    workload.close();
  }
}
