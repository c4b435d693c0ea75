package io.cloudkon.bench;

import io.cloudkon.client.local.LocalCluster;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/** {@code noop} tasks in one process, from the workload file to the last result. */
final class LocalBenchmark implements Benchmark {
  private static final int SLOTS = 4;
  private static final int WARM_UPS = 3;
  private static final int MEASURED = 3;
  private static final int GOAL = 2_000_000;

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String what() {
    return "noop tasks by -s LOCAL with 4 slots and without result files, warmed up; the figure"
        + " LOCAL";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(5_000_000, 1_000_000);
    Path workload = Workloads.lines(setting, "noop.txt", tasks, i -> "noop");
    double best = 0;
    for (int i = 0; i < WARM_UPS + MEASURED; i++) {
      double seconds = once(workload.toString(), tasks, SLOTS);
      double rate = tasks / seconds;
      setting.say(
          "  %-8s %,10d tasks %6.2f s %,12.0f tasks/s",
          i < WARM_UPS ? "warm-up" : "measured", tasks, seconds, rate);
      best = i < WARM_UPS ? 0 : Math.max(best, rate);
    }
    setting.goal("at least %,d tasks/s".formatted(GOAL), best >= GOAL);
    LocalFigure.run(setting);
  }

  /** Measures a run without files. */
  static double once(String file, int tasks, int slots) throws IOException, InterruptedException {
    return once(file, tasks, slots, RunFolder.NONE);
  }

  /**
   * Measures from the first send to the last result and, with files, until they are synced; without
   * the check of the workload before.
   *
   * @param out the folder for its files, which must not exist, or {@link RunFolder#NONE}
   */
  static double once(String file, int tasks, int slots, String out)
      throws IOException, InterruptedException {
    SystemTime time = new SystemTime();
    String id = "local-" + Long.toHexString(new Random().nextLong());
    try (Workload workload =
            Workload.open(file, InputStream.nullInputStream(), WorkloadFormat.AUTO);
        LocalCluster local = LocalCluster.start(slots, Optional.empty(), time)) {
      RunStatistics statistics = new RunStatistics(time.wallMicros(), calls -> 0);
      RunIdentity identity = RunIdentity.fresh(local.cluster().name(), id, new Random());
      RunSession session =
          new RunSession(
              local.cluster(),
              LonelyLoop.options(id),
              identity,
              workload,
              statistics,
              time,
              millis -> millis * 1000);
      long begun = System.nanoTime();
      session.run(RunFolder.choose(id, Optional.of(out), false), file);
      double seconds = (System.nanoTime() - begun) / 1e9;
      if (statistics.count(TaskStatus.SUCCEEDED) != tasks) {
        throw new CloudKonException("not every task of run %s succeeded".formatted(id));
      }
      return seconds;
    }
  }
}
