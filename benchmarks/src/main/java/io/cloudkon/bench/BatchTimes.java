package io.cloudkon.bench;

import io.cloudkon.client.report.ResultRecord;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Stamp;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tasks, with timestamps, of batches of ten {@code sleep 0}, one batch at a time for each
 * worker process. With all of a client's tasks in the queue at once, a task would wait there for
 * longer than everything else takes. Immutable.
 *
 * @param tasks the measured tasks
 * @param bareMillis the mean of the bare calls between a task's submission and its result
 */
record BatchTimes(List<ResultRecord> tasks, double bareMillis) {
  /** The number of slots of a worker, as published. */
  static final int SLOTS = 2;

  private static final int TASKS = 150;

  BatchTimes {
    tasks = List.copyOf(tasks);
  }

  /** Measures on this cluster; each client has one batch at a time. */
  static BatchTimes of(FigureCluster cluster, Way way) throws IOException, InterruptedException {
    Setting setting = cluster.setting();
    int workers = cluster.workers();
    Path workload =
        Workloads.of(setting, "batch.txt", Collections.nCopies(Limits.BATCH, "sleep 0"));
    int rounds = Math.max(1, setting.tasks(TASKS, 20) / Limits.BATCH);
    Path folder = Files.createTempDirectory(setting.scratch(), "batches");
    try (Program loop =
        cluster
            .cluster()
            .program(
                "batches",
                BatchLoop.class,
                cluster.cluster().queue(),
                workload.toString(),
                folder.toString(),
                Integer.toString(rounds),
                Integer.toString(workers),
                way.name())) {
      double bare = Double.parseDouble(loop.end().output().strip());
      cluster.cluster().checkWorkers();
      List<ResultRecord> tasks = read(folder);
      if (tasks.size() != workers * rounds * Limits.BATCH) {
        throw new CloudKonException(
            "%s has %d results, expected %d"
                .formatted(folder, tasks.size(), workers * rounds * Limits.BATCH));
      }
      return new BatchTimes(tasks, bare);
    }
  }

  private static List<ResultRecord> read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(file -> file.endsWith(RunFolder.RESULTS)).toList();
    }
    List<ResultRecord> tasks = new ArrayList<>();
    for (Path file : files) {
      var unused = ResultsReader.read(file, tasks::add);
    }
    return tasks;
  }

  /**
   * The time of each task from one stamp, or the later of two, to another, in milliseconds, sorted.
   */
  double[] millis(Stamp from, Stamp orFrom, Stamp to) {
    return tasks.stream()
        .mapToDouble(
            task -> Math.max(0, at(task, to) - Math.max(at(task, from), at(task, orFrom))) / 1000.0)
        .sorted()
        .toArray();
  }

  private static long at(ResultRecord task, Stamp stamp) {
    Long micros = task.stamps().get(stamp);
    if (micros == null) {
      throw new CloudKonException("a result has no stamp %s: %s".formatted(stamp.key(), task));
    }
    return micros;
  }
}
