package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.client.report.RunFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The panel of {@code noop} tasks in one process with and without the files of a run, compared with
 * the disk, which takes as many bytes and is synced.
 */
final class LocalFiles {
  static final String NOTE =
      "noop: the median of three runs of 1,000,000 tasks (--tasks), after one to warm up; with"
          + " files (results.jsonl and journal) from the first task put into the queue until"
          + " everything is written and synced. The disk takes as many bytes, in turns with the"
          + " runs: one file in the same folder, written in chunks as large as the client's and"
          + " synced once at the end.";

  private static final int TASKS = 1_000_000;
  private static final int QUICKLY = 100_000;
  private static final int ROUNDS = 3;
  private static final double GOAL = 0.8;

  private final LinePoints without = new LinePoints();
  private final LinePoints with = new LinePoints();
  private final LinePoints disk = new LinePoints();

  /** Measures with this number of slots and prints the result. */
  void measure(Setting setting, int threads) throws IOException, InterruptedException {
    int tasks = setting.tasks(TASKS, QUICKLY);
    String workload = Workloads.lines(setting, "local.txt", tasks, i -> "noop").toString();
    Path folder = setting.scratch().resolve("local-run");
    int rounds = setting.quick() ? 1 : ROUNDS;
    double[] unwritten = new double[rounds];
    double[] written = new double[rounds];
    double[] bare = new double[rounds];
    long bytes = 0;
    double _ = LocalBenchmark.once(workload, tasks, threads, folder.toString());
    Checkout.remove(folder);
    for (int i = 0; i < rounds; i++) {
      unwritten[i] = LocalBenchmark.once(workload, tasks, threads);
      written[i] = LocalBenchmark.once(workload, tasks, threads, folder.toString());
      bytes = bytes(folder);
      byte[] chunk = chunk(folder.resolve(RunFolder.RESULTS));
      bare[i] = DiskWrite.seconds(folder.resolve("copy"), chunk, bytes);
      Checkout.remove(folder);
    }
    double ours = LonelyLoop.median(written);
    double ceiling = LonelyLoop.median(bare);
    double free = tasks / LonelyLoop.median(unwritten);
    without.add(threads, free);
    with.add(threads, tasks / ours);
    disk.add(threads, tasks / ceiling);
    setting.say(
        "  %2d threads: %,d noop, no files %,.0f/s; result files %,.0f/s: %,d bytes in %.3f s, the"
            + " disk alone %.3f s: ratio %.2f",
        threads, tasks, free, tasks / ours, bytes, ours, ceiling, ceiling / ours);
    setting.goal("at least 0.8 of what the disk takes, synced", ceiling / ours >= GOAL);
  }

  private static long bytes(Path folder) throws IOException {
    long sum = 0;
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** The beginning of a file: a file system that compresses must not get zeros instead. */
  private static byte[] chunk(Path file) throws IOException {
    byte[] chunk = new byte[DiskWrite.CHUNK];
    try (InputStream in = Files.newInputStream(file)) {
      int _ = in.readNBytes(chunk, 0, chunk.length);
    }
    return chunk;
  }

  FigurePanel panel() {
    return new FigurePanel(
        "LOCAL, noop with and without result files",
        "worker threads",
        "tasks/s",
        FigurePanel.YScale.LOGARITHMIC,
        List.of(
            without.measured("without files", Hue.GREEN),
            with.measured("with result files", Hue.BLUE),
            disk.ceiling("the disk, as many bytes, synced")));
  }
}
