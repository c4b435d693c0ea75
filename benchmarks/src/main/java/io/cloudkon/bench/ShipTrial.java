package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private static final int TASKS = FILES - 1;
  private static final int FILE_BYTES = 8 * 1024;
  private static final int ROUNDS = 5;

  /** The most that the run may take, as a multiple of the one that ships nothing. */
  private static final double GOAL = 1.2;

  private final Setting setting;
  private final BenchCluster cluster;

  private ShipTrial(Setting setting, BenchCluster cluster) {
    this.setting = setting;
    this.cluster = cluster;
  }

  static void run(Setting setting) throws IOException, InterruptedException {
    setting.say(
        "  %d tasks, a folder of %d files shipped, %d workers of %d slots that %s; whole commands",
        TASKS, FILES, WORKERS, SLOTS, MountNamespace.command().isEmpty() ? "copy" : "mount");
    try (BenchCluster cluster = BenchCluster.start(setting, WORKERS, SLOTS)) {
      new ShipTrial(setting, cluster).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] shipped = new double[rounds];
    double[] absolute = new double[rounds];
    for (int i = -1; i < rounds; i++) {
      Path data = make(setting.scratch().resolve("trial-" + i).resolve("data"), i);
      double with =
          seconds("shipped.txt", n -> "exec sha256sum data/f" + n, "--ship", data.toString());
      double without = seconds("absolute.txt", n -> "exec sha256sum %s/f%d".formatted(data, n));
      if (i >= 0) { // the first round starts S3
        shipped[i] = with;
        absolute[i] = without;
      }
    }
    double ratio = LonelyLoop.median(shipped) / LonelyLoop.median(absolute);
    setting.say(
        "  shipped %s s; absolute paths %s s: %.2f of it (medians)",
        Arrays.toString(shipped), Arrays.toString(absolute), ratio);
    setting.goal(
        "at most %.1f times the same run with absolute paths".formatted(GOAL), ratio <= GOAL);
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
    Path workload = Workloads.lines(setting, name, TASKS, line);
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--out", setting.scratch().resolve("trial-out").toString(), "--force"));
    long begun = System.nanoTime();
    try (Program _ = cluster.client(workload, all.toArray(String[]::new))) {
      return Math.round((System.nanoTime() - begun) / 1e7) / 100.0;
    }
  }
}
