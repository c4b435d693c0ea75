package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LongSummaryStatistics;

/**
 * Measures how much a stream of HPC jobs slows down the small tasks of the same file, and how long
 * both take together compared with each alone.
 */
final class GangMix {
  private static final int WORKERS = 2;
  private static final int ROUNDS = 3;
  private static final String NOOP = "noop";

  /** The most that a mixed run may take, as a multiple of the sum of both alone. */
  private static final double GOAL = 1.1;

  /** The number of lines for each job. */
  private static final int NOOPS_TO_A_JOB = 2_000;

  private static final int SLEEPS_TO_A_JOB = 200;

  private GangMix() {}

  static void run(Setting setting) throws IOException, InterruptedException {
    setting.say(
        "  small tasks alone, and with jobs of 4 ranks in the same file; %d workers of %d slots",
        WORKERS, GangsBenchmark.SLOTS);
    compare(setting, NOOP, setting.tasks(400_000, 40_000), NOOPS_TO_A_JOB);
    compare(setting, "sleep 1", setting.tasks(40_000, 8_000), SLEEPS_TO_A_JOB);
  }

  private static void compare(Setting setting, String task, int tasks, int toAJob)
      throws IOException, InterruptedException {
    int jobs = tasks / toAJob;
    String job = GangsBenchmark.line(4);
    Path alone = Workloads.lines(setting, "alone.txt", tasks, i -> task);
    Path gangs = Workloads.lines(setting, "jobs.txt", jobs, i -> job);
    Path mixed =
        Workloads.lines(
            setting, "mixed.txt", tasks + jobs, i -> i % (toAJob + 1) == 0 ? job : task);
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] before = new double[rounds];
    double[] after = new double[rounds];
    double[] tasksAlone = new double[rounds];
    double[] jobsAlone = new double[rounds];
    double[] together = new double[rounds];
    try (BenchCluster cluster = BenchCluster.start(setting, WORKERS, GangsBenchmark.SLOTS)) {
      Spans _ = spans(setting, cluster, mixed);
      for (int i = 0; i < rounds; i++) {
        Spans plain = spans(setting, cluster, alone);
        Spans both = spans(setting, cluster, mixed);
        before[i] = plain.tasksPerSecond();
        after[i] = both.tasksPerSecond();
        tasksAlone[i] = plain.seconds();
        together[i] = both.seconds();
        jobsAlone[i] = jobs == 0 ? 0 : spans(setting, cluster, gangs).seconds();
      }
    }
    double first = LonelyLoop.median(before);
    double second = LonelyLoop.median(after);
    setting.say(
        "  %-8s alone %,10.0f tasks/s; with one job per %,d tasks %,10.0f tasks/s: cost %.1f %%",
        task, first, toAJob, second, 100 * (1 - second / first));
    setting.say("           runs: %s, %s", Arrays.toString(before), Arrays.toString(after));
    sum(setting, task, jobs, tasksAlone, jobsAlone, together);
  }

  /** Prints the time of the mixed run as a multiple of the sum of both alone. */
  private static void sum(
      Setting setting,
      String task,
      int jobs,
      double[] tasksAlone,
      double[] jobsAlone,
      double[] together) {
    double ofTasks = LonelyLoop.median(tasksAlone);
    double ofJobs = LonelyLoop.median(jobsAlone);
    double mixed = LonelyLoop.median(together);
    double ratio = mixed / (ofTasks + ofJobs);
    setting.say(
        "           together %.2f s; tasks alone %.2f s, %,d jobs alone %.2f s: %.2f of their sum",
        mixed, ofTasks, jobs, ofJobs, ratio);
    setting.say(
        "           runs: %s, %s, %s",
        Arrays.toString(together), Arrays.toString(tasksAlone), Arrays.toString(jobsAlone));
    if (task.equals(NOOP)) {
      setting.goal("at most %.1f of the sum of both alone".formatted(GOAL), ratio <= GOAL);
    }
  }

  private static Spans spans(Setting setting, BenchCluster cluster, Path workload)
      throws IOException, InterruptedException {
    Path out = setting.scratch().resolve("mix");
    try (Program unused = cluster.client(workload, "--out", out.toString(), "--force")) {
      return Spans.read(out.resolve("results.jsonl"));
    }
  }

  /**
   * The times of a run, each from the first submission to the last finish.
   *
   * @param tasksPerSecond the rate of its small tasks; 0 if there are none
   * @param seconds the time of all of it
   */
  record Spans(double tasksPerSecond, double seconds) {

    static Spans read(Path results) throws IOException {
      ObjectReader json = new ObjectMapper().reader();
      LongSummaryStatistics small = new LongSummaryStatistics();
      LongSummaryStatistics all = new LongSummaryStatistics();
      long tasks = 0;
      try (BufferedReader lines = Files.newBufferedReader(results)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          JsonNode result = json.readTree(line);
          long submitted = result.path("stamps").path("submitted").asLong();
          long finished = result.path("stamps").path("finished").asLong();
          all.accept(submitted);
          all.accept(finished);
          if (result.path("ranks").isEmpty()) {
            tasks++;
            small.accept(submitted);
            small.accept(finished);
          }
        }
      }
      return new Spans(
          tasks == 0 ? 0 : tasks * 1e6 / (small.getMax() - small.getMin()),
          (all.getMax() - all.getMin()) / 1e6);
    }
  }
}
