package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A client with many tasks and one that comes a moment later with few, on one worker of four slots.
 * Each runs alone and both run together, in a fair cluster and in one that is not.
 */
final class FairBenchmark implements Benchmark {
  private static final int SLOTS = 4;
  private static final int MUCH_MILLIS = 10;
  private static final int FEW = 100;
  private static final int FEW_MILLIS = 100;
  private static final double GOAL_RATIO = 3;
  private static final double GOAL_PERCENT = 5;
  private static final String ROW = "  %-10s%12s%12s%12s%12s%9s%9s";

  @Override
  public String name() {
    return "fair";
  }

  @Override
  public String what() {
    return "100 tasks of 100 ms behind 100,000 of 10 ms, in a fair cluster and in another";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(100_000, 5_000);
    Path much =
        Workloads.of(setting, "much.txt", Collections.nCopies(tasks, "sleep " + MUCH_MILLIS));
    Path few = Workloads.of(setting, "few.txt", Collections.nCopies(FEW, "sleep " + FEW_MILLIS));
    try (BenchCluster cluster = BenchCluster.start(setting, 1, SLOTS)) {
      Clients clients = new Clients(setting, cluster);
      double unused = clients.alone(few); // loads classes
      setting.say(ROW, "cluster", "much, alone", "few, alone", "much", "few", "much", "few");
      Times other = measure(setting, clients, "not fair", much, few);
      cluster.setup("--fair");
      Times fair = measure(setting, clients, "fair", much, few);
      double lost = 100 * (fair.muchAlone() / other.muchAlone() - 1);
      setting.say("  with fairness, the first client takes %.1f %% longer when it is alone", lost);
      setting.goal(
          "the second takes at most %.0f times what it takes alone".formatted(GOAL_RATIO),
          fair.few() / fair.fewAlone() <= GOAL_RATIO);
      setting.goal("the first loses at most %.0f %%".formatted(GOAL_PERCENT), lost <= GOAL_PERCENT);
    }
  }

  /** The times from each client's first send to its last result, in seconds. */
  private record Times(double muchAlone, double fewAlone, double much, double few) {}

  private static Times measure(Setting setting, Clients clients, String name, Path much, Path few)
      throws IOException, InterruptedException {
    double muchAlone = clients.alone(much);
    double fewAlone = clients.alone(few);
    List<Double> together = clients.together(much, few);
    Times times = new Times(muchAlone, fewAlone, together.getFirst(), together.getLast());
    setting.say(
        ROW,
        name,
        seconds(times.muchAlone()),
        seconds(times.fewAlone()),
        seconds(times.much()),
        seconds(times.few()),
        ratio(times.much() / times.muchAlone()),
        ratio(times.few() / times.fewAlone()));
    return times;
  }

  private static String seconds(double seconds) {
    return "%.2f s".formatted(seconds);
  }

  private static String ratio(double ratio) {
    return "x %.2f".formatted(ratio);
  }

  /** Clients in processes of their own. */
  private static final class Clients {
    private final Setting setting;
    private final BenchCluster cluster;
    private int started;

    Clients(Setting setting, BenchCluster cluster) {
      this.setting = setting;
      this.cluster = cluster;
    }

    double alone(Path workload) throws IOException, InterruptedException {
      return together(workload).getFirst();
    }

    /**
     * Runs clients, each of which begins when the previous one has its first results; returns the
     * time that each took.
     */
    List<Double> together(Path... workloads) throws IOException, InterruptedException {
      List<Program> programs = new ArrayList<>();
      List<Path> folders = new ArrayList<>();
      List<Double> seconds = new ArrayList<>();
      try {
        for (Path workload : workloads) {
          Path out = setting.scratch().resolve("fair-" + ++started);
          programs.add(
              cluster.startClient("fair-client-" + started, workload, "--out", out.toString()));
          folders.add(out);
          if (programs.size() < workloads.length) {
            cluster.awaitFirstResult(programs.getLast(), out);
          }
        }
        for (int i = 0; i < programs.size(); i++) {
          Program unused = programs.get(i).end();
          JsonNode report = Reports.read(folders.get(i));
          seconds.add(report.path("makespanSeconds").asDouble());
        }
        return seconds;
      } finally {
        for (Program program : programs) {
          program.close();
        }
      }
    }
  }
}
