package io.cloudkon.client.plan;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reads the planned workload and gives each task its duration. HPC jobs are counted and left out.
 */
final class WorkloadSizeReader {
  /** The size of the uniform random sample of tasks that is kept. */
  static final int KEPT = 1_000_000;

  private final String name;
  private final TaskDurations times;
  private final long seed;
  private final int most;

  WorkloadSizeReader(String name, TaskDurations times, long seed) {
    this(name, times, seed, KEPT);
  }

  WorkloadSizeReader(String name, TaskDurations times, long seed, int most) {
    this.name = name;
    this.times = times;
    this.seed = seed;
    this.most = most;
  }

  /**
   * Reads a workload that was checked.
   *
   * @throws UsageException if the duration of a task is unknown, or all tasks are HPC jobs
   */
  WorkloadSize read(Workload workload) {
    WorkloadSummary summary = workload.summary().orElseThrow();
    SplittableRandom draws = new SplittableRandom(seed);
    SplittableRandom choices = draws.split();
    Prototypes works = new Prototypes();
    int all = summary.tasks() - summary.jobs();
    if (all == 0) {
      throw new UsageException(
          "%s contains only HPC jobs, but plan simulates only tasks; expected a task as well"
              .formatted(shownFile()));
    }
    int kept = Math.min(all, most);
    int[] number = new int[kept];
    long[] took = new long[kept];
    int taken = 0;
    long sum = 0;
    long longest = 0;
    try (TaskReader tasks = workload.read()) {
      int i = 0;
      for (Task task = next(tasks); task != null; task = next(tasks), i++) {
        Optional<Long> micros = times.draw(task, draws);
        if (micros.isEmpty()) {
          throw unknown(task, tasks.line(), tasks, draws);
        }
        sum += micros.get();
        longest = Math.max(longest, micros.get());
        if (choices.nextInt(all - i) < kept - taken) {
          number[taken] = works.numberOf(task);
          took[taken++] = micros.get();
        }
      }
    }
    return new WorkloadSize(
        name,
        all,
        summary.jobs(),
        sum / 1e6,
        longest / 1e6,
        summary.largeTasks(),
        new SampledTasks(works, Arrays.copyOf(number, taken), Arrays.copyOf(took, taken), 1));
  }

  /** The next task that is not an HPC job. */
  private static @Nullable Task next(TaskReader tasks) {
    Task task = tasks.next();
    while (task != null && task.work() instanceof Work.Hpc) {
      task = tasks.next();
    }
    return task;
  }

  private String shownFile() {
    return name.equals("-") ? "<stdin>" : name;
  }

  private UsageException unknown(Task first, long line, TaskReader tasks, SplittableRandom random) {
    long more = 0;
    for (Task task = next(tasks); task != null; task = next(tasks)) {
      more += times.draw(task, random).isEmpty() ? 1 : 0;
    }
    String kind = first.work().kind().name().toLowerCase(Locale.ROOT);
    return new UsageException(
        "%s:%d: the duration of %s %s is not known%s; give it with --duration 50ms (or %s=50ms, or 10ms..2s), or with --like FOLDER of an earlier run with such tasks"
            .formatted(
                shownFile(),
                line,
                kind,
                shown(GivenTime.name(first.work())),
                more == 0
                    ? ""
                    : ", nor is that of %,d more task%s".formatted(more, more == 1 ? "" : "s"),
                kind));
  }

  private static String shown(String name) {
    String plain = name.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 40 ? plain : plain.substring(0, 37) + "...";
  }
}
