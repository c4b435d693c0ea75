package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A few long tasks among many short ones, and equal tasks, on two workers of four slots. */
final class BalanceBenchmark implements Benchmark {
  private static final int WORKERS = 2;
  private static final int SLOTS = 4;
  private static final int LONG_TASKS = 4;

  /** The number of short tasks below which a run is a trial with shorter long tasks. */
  private static final int FULL = 1_000;

  private static final double GOAL_SECONDS = 7;
  private static final double GOAL_PERCENT = 5;

  @Override
  public String name() {
    return "balance";
  }

  @Override
  public String what() {
    return "4 tasks of 5 s among 4,000 of 1 ms on two workers; equal tasks on equal workers";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int brief = setting.tasks(4_000, 4_000);
    int seconds = brief < FULL ? 1 : 5;
    String lengthy = "sleep %ds".formatted(seconds);
    // All scripts begin with the same word, by which durations are learned, so that nothing tells
    // the long ones apart.
    String briefScript = "exec sleep 0.001";
    String lengthyScript = "exec sleep " + seconds;
    try (BenchCluster cluster = BenchCluster.start(setting, WORKERS, SLOTS)) {
      // The workers are warmed up first, because this measures how they share work, not how they
      // load classes.
      report(setting, cluster, Collections.nCopies(brief / 4, "sleep 1"));
      report(setting, cluster, Collections.nCopies(brief / 100, briefScript));
      uneven(
          setting,
          cluster,
          "shuffled",
          Workloads.mixed("sleep 1", brief, lengthy, LONG_TASKS, true));
      uneven(
          setting,
          cluster,
          "long ones last",
          Workloads.mixed("sleep 1", brief, lengthy, LONG_TASKS, false));
      uneven(
          setting,
          cluster,
          "durations unknown",
          Workloads.mixed(briefScript, brief / 20, lengthyScript, LONG_TASKS, true));
      even(setting, cluster, "20 ms", Collections.nCopies(brief, "sleep 20"));
    }
  }

  private static void uneven(Setting setting, BenchCluster cluster, String name, List<String> lines)
      throws IOException, InterruptedException {
    JsonNode report = report(setting, cluster, lines);
    double seconds = report.path("makespanSeconds").asDouble();
    setting.say("  %-20s%,6d tasks %6.2f s", name, lines.size(), seconds);
    setting.goal("less than %.0f s".formatted(GOAL_SECONDS), seconds < GOAL_SECONDS);
  }

  private static void even(Setting setting, BenchCluster cluster, String name, List<String> lines)
      throws IOException, InterruptedException {
    List<Double> busy = new ArrayList<>();
    JsonNode report = report(setting, cluster, lines);
    report.path("workers").forEach(worker -> busy.add(worker.path("busySeconds").asDouble()));
    double most = Collections.max(busy);
    double percent = busy.size() < WORKERS ? 100 : 100 * (most - Collections.min(busy)) / most;
    setting.say(
        "  equal: %-13s%,6d tasks %6.2f s, busy %s s, difference %.1f %%",
        name, lines.size(), report.path("makespanSeconds").asDouble(), busy, percent);
    setting.goal("less than %.0f %%".formatted(GOAL_PERCENT), percent < GOAL_PERCENT);
  }

  private static JsonNode report(Setting setting, BenchCluster cluster, List<String> lines)
      throws IOException, InterruptedException {
    Path out = setting.scratch().resolve("out");
    Path workload = Workloads.of(setting, "balance.txt", lines);
    cluster.client(workload, "--out", out.toString(), "--force");
    return Reports.read(out);
  }
}
