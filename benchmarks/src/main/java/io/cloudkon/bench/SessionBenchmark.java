package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The latency of a single task of a warm session, compared with its bare SDK calls until the result
 * plus one sync of a small file.
 */
final class SessionBenchmark implements Benchmark {
  private static final double GOAL = 1.2;

  @Override
  public String name() {
    return "session";
  }

  @Override
  public String what() {
    return "the latency of a task in a warm session, against its bare calls and one fsync";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int rounds = setting.tasks(500, 50);
    Path folder = Files.createDirectory(setting.scratch().resolve("session"));
    try (BenchCluster cluster = BenchCluster.start(setting, 1, 4);
        Program loop =
            cluster.program(
                "session",
                SessionLoop.class,
                cluster.queue(),
                folder.toString(),
                Integer.toString(rounds))) {
      String[] lines = loop.end().output().strip().split("\n");
      String[] medians = lines[0].split(" ");
      double ours = Double.parseDouble(medians[0]);
      double bare = Double.parseDouble(medians[1]);
      double sync = Double.parseDouble(medians[2]);
      setting.say("  medians of %d, warm session and worker", rounds);
      setting.say("  submit to result                                %8.2f ms", ours);
      setting.say(
          "  bare: send, receive, acquire, reply, receive, fsync %5.2f ms   ratio %.2f",
          bare, ours / bare);
      setting.say("  of these the fsync                              %8.2f ms", sync);
      setting.say("  its stages, in ms: %s", lines[1]);
      setting.goal("at most 1.2 times the bare calls and one fsync", ours <= GOAL * bare);
    }
  }
}
