package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Measures how much a stream of HPC jobs slows down the small tasks of the same file. */
final class GangMix {
  private static final int WORKERS = 2;
  private static final int ROUNDS = 3;

  /** The number of lines for each job. */
  private static final int NOOPS_TO_A_JOB = 2_000;

  private static final int SLEEPS_TO_A_JOB = 200;

  private GangMix() {}

  static void run(Setting setting) throws IOException, InterruptedException {
    setting.say(
        "  small tasks alone, and with jobs of 4 ranks in the same file; %d workers of %d slots",
        WORKERS, GangsBenchmark.SLOTS);
    compare(setting, "noop", setting.tasks(400_000, 40_000), NOOPS_TO_A_JOB);
    compare(setting, "sleep 1", setting.tasks(40_000, 8_000), SLEEPS_TO_A_JOB);
  }

  private static void compare(Setting setting, String task, int tasks, int toAJob)
      throws IOException, InterruptedException {
    Path alone = Workloads.lines(setting, "alone.txt", tasks, i -> task);
    int lines = tasks + tasks / toAJob;
    Path mixed =
        Workloads.lines(
            setting,
            "mixed.txt",
            lines,
            i -> i % (toAJob + 1) == 0 ? GangsBenchmark.line(4) : task);
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] before = new double[rounds];
    double[] after = new double[rounds];
    try (BenchCluster cluster = BenchCluster.start(setting, WORKERS, GangsBenchmark.SLOTS)) {
      double unused = rate(setting, cluster, mixed);
      for (int i = 0; i < rounds; i++) {
        before[i] = rate(setting, cluster, alone);
        after[i] = rate(setting, cluster, mixed);
      }
    }
    double first = LonelyLoop.median(before);
    double second = LonelyLoop.median(after);
    setting.say(
        "  %-8s alone %,10.0f tasks/s; with one job per %,d tasks %,10.0f tasks/s: cost %.1f %%",
        task, first, toAJob, second, 100 * (1 - second / first));
    setting.say("           runs: %s, %s", Arrays.toString(before), Arrays.toString(after));
  }

  /** The small tasks per second, from the first submission to the last finish. */
  private static double rate(Setting setting, BenchCluster cluster, Path workload)
      throws IOException, InterruptedException {
    Path out = setting.scratch().resolve("mix");
    try (Program unused = cluster.client(workload, "--out", out.toString(), "--force")) {
      return rate(out.resolve("results.jsonl"));
    }
  }

  private static double rate(Path results) throws IOException {
    ObjectReader json = new ObjectMapper().reader();
    long tasks = 0;
    long first = Long.MAX_VALUE;
    long last = 0;
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode result = json.readTree(line);
        if (result.path("ranks").isEmpty()) {
          tasks++;
          first = Math.min(first, result.path("stamps").path("submitted").asLong());
          last = Math.max(last, result.path("stamps").path("finished").asLong());
        }
      }
    }
    return tasks * 1e6 / (last - first);
  }
}
