package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The time from the receipt of a job to the start of all ranks, on idle workers, compared with the
 * bare calls.
 */
final class GangLatency {
  private static final double GOAL = 3;

  private GangLatency() {}

  static void run(Setting setting) throws IOException, InterruptedException {
    int rounds = setting.quick() ? 15 : 60;
    Path workload = Workloads.of(setting, "job.txt", List.of(GangsBenchmark.line(4)));
    setting.say("  one job of 4 ranks after the other, workers idle; medians of %d", rounds);
    for (int workers : new int[] {1, 2}) {
      // Two workers of two slots each, so that the ranks run on both.
      try (BenchCluster cluster =
              BenchCluster.start(setting, workers, GangsBenchmark.SLOTS / workers);
          Program loop =
              cluster.program(
                  "gang-loop",
                  GangLoop.class,
                  cluster.queue(),
                  workload.toString(),
                  Integer.toString(rounds),
                  setting.rmiTlsOption())) {
        String[] medians = loop.end().output().strip().split(" ");
        double ours = Double.parseDouble(medians[0]);
        double admission = Double.parseDouble(medians[1]);
        double message = Double.parseDouble(medians[2]);
        double rmi = Double.parseDouble(medians[3]);
        double bare = admission + message + rmi;
        setting.say(
            "  received to started, %d worker%s %8.2f ms   ratio %.2f",
            workers, workers == 1 ? " of 4 slots: " : "s of 2 slots:", ours, ours / bare);
        setting.say(
            "  bare: admission %.2f, send and receive %.2f, RMI %.2f: %.2f ms",
            admission, message, rmi, bare);
        setting.goal("at most 3 times the bare calls", ours <= GOAL * bare);
      }
    }
  }
}
