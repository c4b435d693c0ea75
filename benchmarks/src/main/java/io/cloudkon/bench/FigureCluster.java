package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Stamp;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A cluster of one size for measuring figures, with a permanent client that also makes the bare
 * calls. Not thread safe.
 */
final class FigureCluster implements AutoCloseable {
  private static final int MOST_THREADS = 16;

  /** The number of messages for each caller whose time is measured: whole batches. */
  static final int BARE_MESSAGES = 3 * RawLoad.BATCH;

  private static final int WARM_UP = 2_000;
  private static final int WARM_UP_CALLERS = 32;
  private static final int MOST_FAILURES = 3;

  /** The number of tasks for each worker process that shows only that a figure works. */
  private static final int FEW = 10;

  private final Setting setting;
  private final BenchCluster cluster;
  private final Program client;
  private final int workers;
  private final int slots;
  private final Map<Way, BatchTimes> batches = new EnumMap<>(Way.class);
  private int commands;

  private FigureCluster(
      Setting setting, BenchCluster cluster, Program client, int workers, int slots) {
    this.setting = setting;
    this.cluster = cluster;
    this.client = client;
    this.workers = workers;
    this.slots = workers * slots;
  }

  /**
   * Starts a cluster; returns when its workers are ready.
   *
   * @param original whether a figure runs the preset original, which is warmed up then
   */
  static FigureCluster start(Setting setting, int workers, int slots, boolean original)
      throws IOException, InterruptedException {
    BenchCluster cluster = BenchCluster.start(setting, workers, slots);
    try {
      Program client = cluster.program("figure-client", FigureClient.class, cluster.queue());
      FigureCluster started = new FigureCluster(setting, cluster, client, workers, slots);
      try {
        started.warmUp(original);
        return started;
      } catch (IOException | InterruptedException | RuntimeException e) {
        BenchCluster.closeAfter(e, client::close);
        throw e;
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      BenchCluster.closeAfter(e, cluster::close);
      throw e;
    }
  }

  /**
   * Warms up the emulator, which answers its first calls several times slower than later ones, and
   * client and workers by as many tasks as {@code mtc-throughput} runs. So a figure that is
   * measured alone finds them as one that is measured after others.
   */
  private void warmUp(boolean original) throws IOException, InterruptedException {
    int bundles = setting.quick() ? 20 : WARM_UP;
    double unused =
        bareCalls(
            new RawLoad(bundles, SleepBytes.request(1), SleepBytes.result(1), WARM_UP_CALLERS, 2));
    FigureRun _ = run(Way.DEFAULTS, ThroughputFigure.many(this), i -> "sleep 0");
    if (original) {
      FigureRun _ = run(Way.ORIGINAL, ThroughputFigure.few(this), i -> "sleep 0");
    }
  }

  Setting setting() {
    return setting;
  }

  BenchCluster cluster() {
    return cluster;
  }

  int workers() {
    return workers;
  }

  /** The total number of slots of all workers. */
  int slots() {
    return slots;
  }

  /**
   * The number of tasks: by {@code --work-per-slot}, or else this number for each worker process,
   * which {@code --tasks} and {@code --quick} change.
   *
   * @param each the number for each worker process
   * @param meanMillis the mean duration of a task
   */
  int tasks(int each, double meanMillis) {
    return setting
        .figures()
        .tasks(slots, meanMillis)
        .orElseGet(() -> workers * setting.tasks(each, FEW));
  }

  /** Runs this number of lines, which must succeed, after a warm-up with a quarter of them. */
  FigureRun warmRun(Way way, int tasks, IntFunction<String> line)
      throws IOException, InterruptedException {
    FigureRun unused = run(way, Math.max(1, tasks / 4), line);
    return run(way, tasks, line);
  }

  /** Runs this number of lines, which must succeed. */
  FigureRun run(Way way, int tasks, IntFunction<String> line)
      throws IOException, InterruptedException {
    Path workload = Workloads.lines(setting, "figure.txt", tasks, line);
    Path out = setting.scratch().resolve("figure");
    List<String> words = new ArrayList<>();
    words.addAll(List.of("client", "-s", cluster.queue(), "-w", workload.toString(), "--quiet"));
    words.addAll(way.options());
    words.addAll(List.of("-t", Integer.toString(Math.min(MOST_THREADS, 2 * workers))));
    words.addAll(List.of("--out", out.toString(), "--force"));
    String code = answer(words);
    cluster.checkWorkers();
    JsonNode report = Reports.read(out);
    if (!code.equals("0") || report.path("succeeded").asInt() != tasks) {
      throw new CloudKonException(
          "not every task succeeded: %s%n%s"
              .formatted(failure(code, out, report), client.output()));
    }
    int busy = report.path("workers").size();
    if (busy < workers) {
      setting.say("  (%d of %d workers had a task of this run)", busy, workers);
    }
    LongSummaryStatistics begun = new LongSummaryStatistics();
    LongSummaryStatistics ended = new LongSummaryStatistics();
    var unused =
        ResultsReader.read(
            out.resolve(RunFolder.RESULTS),
            result -> {
              begun.accept(result.stamps().getOrDefault(Stamp.SEND_BEGUN, Long.MAX_VALUE));
              ended.accept(result.stamps().getOrDefault(Stamp.COLLECTED, 0L));
            });
    double seconds = Math.max(1, ended.getMax() - begun.getMin()) / 1e6;
    return new FigureRun(tasks, Reports.bundles(out), seconds, report);
  }

  /** In one line, what became of a run that should have succeeded. */
  private static String failure(String code, Path out, JsonNode report) throws IOException {
    List<String> results = new ArrayList<>();
    var unused =
        ResultsReader.read(
            out.resolve(RunFolder.RESULTS),
            result -> {
              if (result.status() != TaskStatus.SUCCEEDED && results.size() < MOST_FAILURES) {
                results.add("%s %s: %s".formatted(result.task(), result.status(), result.error()));
              }
            });
    return "exit code %s, %d of %d succeeded; %s"
        .formatted(
            code,
            report.path("succeeded").asInt(),
            report.path("tasks").asInt(),
            String.join("; ", results));
  }

  /** The bare calls of this number of bundles of {@code sleep 0}, with a caller for each slot. */
  RawLoad bareSleeps(int bundles, int tasks, int writes) {
    return new RawLoad(bundles, SleepBytes.request(tasks), SleepBytes.result(tasks), slots, writes);
  }

  /**
   * Makes bare calls in the client's process: a send, a receive and a deletion in each direction
   * for each batch, and the writes.
   *
   * @return bundles per second
   */
  double bareCalls(RawLoad load) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(FigureClient.RAW));
    words.addAll(load.words());
    return load.bundles() / Double.parseDouble(answer(words));
  }

  /**
   * The time that a caller takes for the bare calls of one of the original's tasks, in
   * milliseconds.
   */
  double bareMillis(int writes) throws IOException, InterruptedException {
    int each = setting.quick() ? RawLoad.BATCH : BARE_MESSAGES;
    return 1000 * slots / bareCalls(bareSleeps(slots * each, 1, writes));
  }

  /** The times of batches of ten {@code sleep 0}, measured once for each way. */
  BatchTimes batches(Way way) throws IOException, InterruptedException {
    BatchTimes known = batches.get(way);
    if (known == null) {
      known = BatchTimes.of(this, way);
      batches.put(way, known);
    }
    return known;
  }

  /** Sends a command to the client and waits for its answer. */
  private String answer(List<String> words) throws IOException, InterruptedException {
    commands++;
    client.tell(String.join("\t", words));
    return client.await(FigureClient.ENDED, commands);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      client.close();
    } finally {
      cluster.close();
    }
  }
}
