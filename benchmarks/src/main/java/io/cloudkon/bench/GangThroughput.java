package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Jobs per second, compared with the bare calls that a job requires. Both are measured alternately
 * and the medians compared, so that other load on the machine affects both.
 */
final class GangThroughput {
  private static final double PUBLISHED = 205;
  private static final double SHARE = 0.6;
  private static final int ROUNDS = 3;

  /** The numbers of ranks of a job and of worker processes. */
  private static final int[][] POINTS = {{4, 1}, {4, 2}, {4, 4}, {8, 2}, {16, 4}};

  private static final int[][] QUICK_POINTS = {{4, 1}, {8, 2}};

  private GangThroughput() {}

  static void run(Setting setting) throws IOException, InterruptedException {
    int jobs = setting.tasks(4_000, 500);
    setting.say(
        "  jobs of no-op ranks; workers of %d slots; %,d jobs, median of %d warm runs",
        GangsBenchmark.SLOTS, jobs, setting.quick() ? 1 : ROUNDS);
    setting.say("  ranks  workers     jobs/s    bare calls   ratio   calls per job");
    for (int[] point : setting.quick() ? QUICK_POINTS : POINTS) {
      point(setting, point[0], point[1], jobs);
    }
  }

  private static void point(Setting setting, int ranks, int workers, int jobs)
      throws IOException, InterruptedException {
    Path workload = Workloads.lines(setting, "gangs.txt", jobs, i -> GangsBenchmark.line(ranks));
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] ours = new double[rounds];
    double[] bare = new double[rounds];
    double calls = 0;
    try (BenchCluster cluster = BenchCluster.start(setting, workers, GangsBenchmark.SLOTS)) {
      // One warm-up for each worker, so that each worker's compiler sees as many jobs, however many
      // share them.
      for (int i = 0; i < workers; i++) {
        JsonNode unused = jobs(setting, cluster, workload, jobs);
      }
      for (int i = 0; i < rounds; i++) {
        JsonNode report = jobs(setting, cluster, workload, jobs);
        ours[i] = report.path("tasksPerSecond").asDouble();
        calls = calls(report) / jobs;
        bare[i] = bare(cluster, jobs / 2);
      }
    }
    double rate = LonelyLoop.median(ours);
    double ceiling = LonelyLoop.median(bare);
    setting.say(
        "  %5d  %7d  %9.1f  %12.1f  %6.2f  %14.2f",
        ranks, workers, rate, ceiling, rate / ceiling, calls);
    setting.say("         runs: %s; bare: %s", Arrays.toString(ours), Arrays.toString(bare));
    if (ranks == 4) {
      double goal = Math.min(PUBLISHED, SHARE * ceiling);
      setting.goal("at least %.1f jobs/s of 4 ranks".formatted(goal), rate >= goal);
    }
  }

  private static JsonNode jobs(Setting setting, BenchCluster cluster, Path workload, int jobs)
      throws IOException, InterruptedException {
    Path out = setting.scratch().resolve("gangs");
    try (Program client = cluster.client(workload, "--out", out.toString(), "--force")) {
      JsonNode report = Reports.read(out);
      if (report.path("gangs").path("count").asInt() != jobs) {
        throw new CloudKonException("not every job ran: " + client.output());
      }
      return report;
    }
  }

  private static double calls(JsonNode report) {
    double sum = 0;
    for (String service : new String[] {"sqs", "dynamodb"}) {
      for (JsonNode count : report.path("calls").path(service)) {
        sum += count.asDouble();
      }
    }
    return sum;
  }

  /** The bare calls' jobs per second, by the best number of callers. */
  private static double bare(BenchCluster cluster, int jobs)
      throws IOException, InterruptedException {
    try (Program raw =
        cluster.program("raw-jobs", RawJobs.class, cluster.queue(), Integer.toString(jobs))) {
      return Double.parseDouble(raw.end().output().strip());
    }
  }
}
