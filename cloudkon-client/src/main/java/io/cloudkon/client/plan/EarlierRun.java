package io.cloudkon.client.plan;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.ResultRecord;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.report.Stamp;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The durations of an earlier run's tasks, from the timestamps of its results: by sort of task if
 * its workload can still be read, otherwise all together.
 */
final class EarlierRun {
  private final Map<String, Pool> bySort = new HashMap<>();
  private final Pool all = new Pool();
  private final boolean sorted;

  /** A uniform random sample of durations. */
  private static final class Pool {
    private static final int KEPT = 10_000;

    private final List<Long> micros = new ArrayList<>();
    private long seen;

    void add(long took, SplittableRandom random) {
      seen++;
      if (micros.size() < KEPT) {
        micros.add(took);
      } else {
        long place = random.nextLong(seen);
        if (place < KEPT) {
          micros.set((int) place, took);
        }
      }
    }

    long draw(SplittableRandom random) {
      return micros.get(random.nextInt(micros.size()));
    }
  }

  private EarlierRun(boolean sorted) {
    this.sorted = sorted;
  }

  /**
   * Reads the files of a run.
   *
   * @param folder the folder of the run
   * @param now the planned workload, which may be the same one
   * @param random chooses the sample
   * @throws UsageException if there are no results of tasks that ran
   */
  static EarlierRun read(Path folder, Workload now, SplittableRandom random) {
    Path results = folder.resolve(RunFolder.RESULTS);
    if (!Files.isRegularFile(results)) {
      throw new UsageException(
          "--like %s: there is no %s in it; expected the folder of an earlier run"
              .formatted(folder, RunFolder.RESULTS));
    }
    List<String> sorts = sorts(folder, now);
    EarlierRun run = new EarlierRun(!sorts.isEmpty());
    long unused = ResultsReader.read(results, line -> run.add(line, sorts, random));
    if (run.all.seen == 0) {
      throw new UsageException(
          "--like %s: no task has run there; expected the folder of a run with results"
              .formatted(folder));
    }
    return run;
  }

  private void add(ResultRecord line, List<String> sorts, SplittableRandom random) {
    long started = line.stamps().getOrDefault(Stamp.STARTED, 0L);
    long finished = line.stamps().getOrDefault(Stamp.FINISHED, 0L);
    boolean ran =
        started > 0
            && finished >= started
            && line.ranks().isEmpty() // an HPC job, which takes no slot's time
            && line.status() != TaskStatus.LOST
            && line.status() != TaskStatus.CANCELLED;
    if (ran) {
      // its slot was busy from the moment when staging its files began
      long took = finished - line.stamps().getOrDefault(Stamp.STAGE_BEGUN, started);
      all.add(took, random);
      if (line.index() < sorts.size()) {
        bySort.computeIfAbsent(sorts.get(line.index()), sort -> new Pool()).add(took, random);
      }
    }
  }

  /** The sort of each of its tasks; empty if it can no longer be determined. */
  private static List<String> sorts(Path folder, Workload now) {
    RunHeader header = header(folder);
    if (header == null || header.digest().isEmpty()) {
      return List.of();
    }
    if (header.digest().equals(now.summary().map(WorkloadSummary::sha256).orElse(""))) {
      return sorts(now);
    }
    try (Workload earlier = SentWorkload.open(header, folder).orElse(null)) {
      return earlier == null ? List.of() : sorts(earlier);
    }
  }

  private static @Nullable RunHeader header(Path folder) {
    try {
      return RunFolder.resume(folder).header();
    } catch (CloudKonException e) {
      return null; // the results alone are sufficient
    }
  }

  private static List<String> sorts(Workload workload) {
    Map<String, String> known = new HashMap<>();
    List<String> sorts = new ArrayList<>();
    try (TaskReader tasks = workload.read()) {
      for (Task task = tasks.next(); task != null; task = tasks.next()) {
        sorts.add(known.computeIfAbsent(LearnedDurations.key(task.work()), key -> key));
      }
    }
    return sorts;
  }

  /** Whether the durations are known for each sort of task. */
  boolean sorted() {
    return sorted;
  }

  /** Draws one task's duration, in microseconds; empty if no task of its sort ran. */
  Optional<Long> draw(Task task, SplittableRandom random) {
    Pool pool = sorted ? bySort.get(LearnedDurations.key(task.work())) : all;
    return pool == null ? Optional.empty() : Optional.of(pool.draw(random));
  }
}
