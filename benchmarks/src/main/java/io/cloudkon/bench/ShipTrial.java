package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Measures a whole small run that ships a folder: one command for each of its files but one. The
 * same run with absolute paths and nothing shipped alternates with it. Each round ships other
 * bytes, so that workers must fetch and unpack them; S3 runs already.
 */
final class ShipTrial {
  private static final int WORKERS = 2;
  private static final int SLOTS = 2;
  private static final int FILES = 505;
  private static final int FILE_BYTES = 8 * 1024;
  private static final int ROUNDS = 5;

  /** The most that the run may take, as a multiple of the one that ships nothing. */
  private static final double GOAL = 1.2;

  private final Setting setting;
  private final BenchCluster cluster;
  private final int tasks;

  private ShipTrial(Setting setting, BenchCluster cluster) {
    this.setting = setting;
    this.cluster = cluster;
    this.tasks = FILES - 1;
  }

  static void run(Setting setting) throws IOException, InterruptedException {
    setting.say(
        "  %d tasks, a folder of %d files shipped, %d workers of %d slots; whole commands",
        FILES - 1, FILES, WORKERS, SLOTS);
    try (BenchCluster cluster = BenchCluster.start(setting, WORKERS, SLOTS)) {
      new ShipTrial(setting, cluster).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] shipped = new double[rounds];
    double[] absolute = new double[rounds];
    round(0, new double[1], new double[1], 0);
    for (int i = 0; i < rounds; i++) {
      round(i + 1, shipped, absolute, i);
    }
    double ratio = LonelyLoop.median(shipped) / LonelyLoop.median(absolute);
    setting.say(
        "  shipped %s s; absolute paths %s s: %.2f of it (medians)",
        Arrays.toString(shipped), Arrays.toString(absolute), ratio);
    setting.goal(
        "at most %.1f times the same run with absolute paths".formatted(GOAL), ratio <= GOAL);
  }

  private void round(int number, double[] shipped, double[] absolute, int at)
      throws IOException, InterruptedException {
    Path data = make(setting.scratch().resolve("trial-" + number).resolve("data"), number);
    shipped[at] =
        seconds("shipped.txt", i -> "exec sha256sum data/f" + i, "--ship", data.toString());
    absolute[at] = seconds("absolute.txt", i -> "exec sha256sum %s/f%d".formatted(data, i));
  }

  private static Path make(Path folder, int seed) throws IOException {
    Files.createDirectories(folder);
    Random random = new Random(seed);
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < FILES; i++) {
      random.nextBytes(content);
      Files.write(folder.resolve("f" + i), content);
    }
    return folder;
  }

  /** The wall time of a client, from its start to its end. */
  private double seconds(String name, IntFunction<String> line, String... options)
      throws IOException, InterruptedException {
    Path workload = Workloads.lines(setting, name, tasks, line);
    String[] all = Arrays.copyOf(options, options.length + 3);
    all[options.length] = "--out";
    all[options.length + 1] = setting.scratch().resolve("trial-out").toString();
    all[options.length + 2] = "--force";
    long begun = System.nanoTime();
    try (Program _ = cluster.client(workload, all)) {
      return Math.round((System.nanoTime() - begun) / 1e7) / 100.0;
    }
  }
}
