package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;

/** Tasks per second through SQS and DynamoDB, with one client and one worker process. */
final class ThroughputBenchmark implements Benchmark {
  private static final int SLOTS = 4;
  private static final int GOAL = 30_000;

  /**
   * Runs between the first and the warm one. Worker and emulator need them until their code is
   * compiled, the emulator the more of them the fewer calls a run makes.
   */
  private static final int WARM_UPS = 3;

  private static final String ROW = "  %-22s%,10d tasks %8.1f s %,12d tasks/s   %s";

  @Override
  public String name() {
    return "throughput";
  }

  @Override
  public String what() {
    return "java sha256 tasks through the emulator, every answer written and checked";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(600_000, 100_000);
    Path hashes = Workloads.lines(setting, "sha256.txt", tasks, Answers::line);
    Path noops = Workloads.lines(setting, "noop.txt", tasks, i -> "noop");
    try (BenchCluster cluster = BenchCluster.start(setting, 1, SLOTS)) {
      JsonNode cold = hashes(setting, cluster, hashes, "sha256, all cold", tasks);
      for (int i = 0; i < WARM_UPS; i++) {
        JsonNode unused = hashes(setting, cluster, hashes, "sha256, warming up", tasks);
      }
      JsonNode warm = hashes(setting, cluster, hashes, "sha256, all warm", tasks);
      Program client = cluster.client(noops, "--out", "none");
      long rate = Reports.tasksPerSecond(client);
      setting.say(ROW, "noop, no files", tasks, (double) tasks / rate, rate, cpu(client, tasks));
      setting.goal(
          "at least %,d tasks/s of sha256".formatted(GOAL),
          Math.max(rate(cold), rate(warm)) >= GOAL);
      ceiling(setting, cluster, tasks, warm);
    }
  }

  private static JsonNode hashes(
      Setting setting, BenchCluster cluster, Path workload, String name, int tasks)
      throws IOException, InterruptedException {
    Path out = out(setting);
    double emulator = cluster.emulatorCpuSeconds();
    Program client = cluster.client(workload, "--out", out.toString(), "--force");
    Answers.check(out.resolve("results.jsonl"), tasks);
    JsonNode report = Reports.read(out);
    setting.say(
        ROW,
        name,
        tasks,
        report.path("makespanSeconds").asDouble(),
        rate(report),
        "%s, emulator %.1f us"
            .formatted(
                cpu(client, tasks), (cluster.emulatorCpuSeconds() - emulator) * 1e6 / tasks));
    return report;
  }

  /** The folder of the last run with files. */
  private static Path out(Setting setting) {
    return setting.scratch().resolve("out");
  }

  /** Measures the same calls with nothing around them, by {@link RawCalls}. */
  private static void ceiling(Setting setting, BenchCluster cluster, int tasks, JsonNode report)
      throws IOException, InterruptedException {
    JsonNode sqs = report.path("calls").path("sqs");
    JsonNode dynamo = report.path("calls").path("dynamodb");
    int bundles = Math.max(1, Reports.bundles(out(setting)));
    try (Program raw =
        cluster.program(
            "raw",
            RawCalls.class,
            cluster.queue(),
            Integer.toString(bundles),
            Integer.toString(Math.max(1, tasks * Answers.LINE_BYTES / bundles)),
            Integer.toString(Math.max(1, tasks * Answers.RESULT_BYTES / bundles)))) {
      double seconds = Double.parseDouble(raw.end().output().strip());
      setting.say(
          "  %,d bundles, %,d SQS and %,d DynamoDB calls; the bare SDK calls for so many bundles of"
              + " this size: %.1f s = %,.0f tasks/s; ratio %.2f",
          bundles,
          sum(sqs),
          sum(dynamo),
          seconds,
          tasks / seconds,
          rate(report) / (tasks / seconds));
    }
  }

  private static int sum(JsonNode counts) {
    int sum = 0;
    for (JsonNode count : counts) {
      sum += count.asInt();
    }
    return sum;
  }

  private static long rate(JsonNode report) {
    return (long) report.path("tasksPerSecond").asDouble();
  }

  private static String cpu(Program client, int tasks) throws IOException {
    return "CPU per task: client %.1f us".formatted(client.cpuSeconds() * 1e6 / tasks);
  }
}
