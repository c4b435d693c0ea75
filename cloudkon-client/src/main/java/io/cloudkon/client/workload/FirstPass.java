package io.cloudkon.client.workload;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pass that checks and counts the tasks. Any thread may ask for its findings: the format, the
 * kinds of work and, at the end, the summary.
 */
final class FirstPass implements Pass {
  /** The most bytes that the run's default timeout and retries add to a task. */
  private static final int DEFAULTS_BYTES = 16;

  private final WorkloadSource source;
  private final WorkloadLimits limits;
  private final IdCheck ids;
  private final MessageDigest digest = LaterPass.sha256();
  private final Map<Work.Kind, Integer> kinds = new EnumMap<>(Work.Kind.class);

  /** The number of jobs by their ranks; bounded, because a job has at most 4,096 ranks. */
  private final Map<Integer, Integer> jobs = new TreeMap<>();

  private int tasks;
  private int largeTasks;
  private int withFiles;
  private double sleepMillis;
  private double jobSleepMillis;
  private volatile Set<Work.Kind> seen = Set.of();
  private volatile WorkloadFormat format;
  private volatile @Nullable WorkloadSummary summary;

  FirstPass(WorkloadSource source, WorkloadFormat format, WorkloadLimits limits) {
    this.source = source;
    this.limits = limits;
    this.format = format == WorkloadFormat.AUTO ? source.format() : format;
    this.ids = new IdCheck(source, limits);
  }

  /** The reader that makes this pass; may be called only once. */
  TaskReader reader(boolean building) {
    try {
      var in = new DigestInputStream(source.first(), digest);
      return new TaskReader(
          new LineReader(in, limits, 0, 1), limits, format, 0, new TaskDraft(building), this);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The format; {@link WorkloadFormat#AUTO} until it is detected. */
  WorkloadFormat format() {
    return format;
  }

  /** The kinds of work in the part that was read. */
  Set<Work.Kind> kinds() {
    return seen;
  }

  /** The summary; null until the end is reached. */
  @Nullable WorkloadSummary summary() {
    return summary;
  }

  @Override
  public void format(WorkloadFormat format) {
    this.format = format;
  }

  @Override
  public void task(TaskDraft draft, long line, long offset) throws BadLineException {
    if (tasks == limits.maxTasks()) {
      throw new BadLineException(
          "the workload has more than " + tasks + " tasks", "expected it in several files");
    }
    if (draft.ranks > limits.slots()) {
      throw tooManyRanks(draft.ranks, limits.slots());
    }
    tasks++;
    if (draft.hasFiles()) {
      withFiles++;
    }
    if (limits.files().isPresent()) {
      limits.files().get().check(draft);
    }
    if (draft.mayBeLarge && isLarge(draft.task(tasks - 1, line))) {
      largeTasks++;
    }
    if (draft.ranks > 0) {
      jobs.merge(draft.ranks, 1, Integer::sum);
      jobSleepMillis += (double) draft.ranks * draft.sleepMillis;
    } else {
      sleepMillis += draft.sleepMillis;
    }
    if (kinds.merge(draft.acceptedKind(), 1, Integer::sum) == 1) {
      seen = Set.copyOf(kinds.keySet());
    }
    if (!source.checked()) {
      ids.task(draft, line, offset);
    }
  }

  static BadLineException tooManyRanks(int ranks, int slots) {
    return new BadLineException(
        "the job has %,d ranks, but this process has %s"
            .formatted(ranks, slots == 1 ? "1 slot" : "%,d slots".formatted(slots)),
        "expected at most as many, or more slots: -t " + ranks);
  }

  static boolean isLarge(Task task) {
    return BundleCodec.sizeOf(task) + DEFAULTS_BYTES > Limits.TASK_BYTES;
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public void end(long bytes) {
    if (tasks == 0 && !source.checked()) {
      throw new UsageException(
          source.name() + ": contains no task; expected at least one line, such as sleep 100");
    }
    ids.end(format);
    String hex = HexFormat.of().formatHex(digest.digest());
    summary =
        new WorkloadSummary(
            tasks, jobs, kinds, hex, largeTasks, withFiles, sleepMillis, jobSleepMillis);
  }

  @Override
  public CloudKonException bad(long line, BadLineException e) {
    return e.at(source.name(), line);
  }

  @Override
  public CloudKonException unreadable(IOException e) {
    return Sources.unreadable(source.name(), e);
  }

  @Override
  public void close() {
    ids.close();
  }
}
