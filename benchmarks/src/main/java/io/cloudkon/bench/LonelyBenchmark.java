package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The latency of a single task at a time, compared with its bare SDK calls in sequence. */
final class LonelyBenchmark implements Benchmark {
  private static final double GOAL = 2;

  @Override
  public String name() {
    return "lonely";
  }

  @Override
  public String what() {
    return "the latency of a lonely task, against its bare SDK calls in sequence";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int rounds = setting.tasks(300, 50);
    Path workload = Workloads.of(setting, "one.txt", List.of("noop"));
    try (BenchCluster cluster = BenchCluster.start(setting, 1, 4);
        Program loop =
            cluster.program(
                "lonely",
                LonelyLoop.class,
                cluster.queue(),
                workload.toString(),
                Integer.toString(rounds))) {
      String[] medians = loop.end().output().strip().split(" ");
      double ours = Double.parseDouble(medians[0]);
      double bare = Double.parseDouble(medians[1]);
      double whole = Double.parseDouble(medians[2]);
      setting.say("  medians of %d, warm client and worker", rounds);
      setting.say("  submitted to collected                          %8.2f ms", ours);
      setting.say(
          "  bare: send, receive, acquire, reply, receive    %8.2f ms   ratio %.2f",
          bare, ours / bare);
      setting.say(
          "  bare, with done and both deletes                %8.2f ms   ratio %.2f",
          whole, ours / whole);
      setting.goal("at most twice the bare calls", ours <= GOAL * whole);
    }
  }
}
