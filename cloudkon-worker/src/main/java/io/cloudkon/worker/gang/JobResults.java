package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.worker.execute.TaskOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Combines the results of a job's ranks into the result of the job. */
final class JobResults {
  private static final byte[] NOTHING = {};

  /** The exit code of a command that was killed: 128 and the number of SIGKILL. */
  private static final int KILLED = 137;

  private static final int ERROR_CHARS = 4096;

  /**
   * The outcome of an MPI program's launcher.
   *
   * @param exitCode the exit code of mpiexec
   * @param stdout the program's output, as mpiexec printed it
   * @param spools the outputs that are on disk
   * @param error why it could not be launched or why it died; empty otherwise
   */
  record Launched(
      TaskStatus status,
      int exitCode,
      byte[] stdout,
      long stdoutBytes,
      byte[] stderr,
      long stderrBytes,
      String error,
      Spools spools) {
    /** The outcome of an mpiexec that ran. */
    static Launched of(TaskOutcome outcome) {
      return new Launched(
          outcome.status(),
          outcome.exitCode(),
          outcome.stdout(),
          outcome.stdoutBytes(),
          outcome.stderr(),
          outcome.stderrBytes(),
          outcome.error(),
          outcome.spools());
    }

    /** The outcome of an mpiexec that left nothing but the reason of its failure. */
    static Launched failed(String why) {
      return new Launched(TaskStatus.FAILED, 0, NOTHING, 0, NOTHING, 0, why, Spools.NONE);
    }
  }

  private JobResults() {}

  /** The result of a job. */
  static TaskResult of(
      Task task,
      Verdict verdict,
      Map<Integer, RankEnd> ends,
      @Nullable Launched launched,
      IntFunction<String> workerOf,
      int captureBytes,
      int tries,
      long nowMicros) {
    return switch (verdict) {
      case Verdict.Succeeded s ->
          result(task, ends, launched, -1, workerOf, captureBytes, tries, nowMicros);
      case Verdict.LaunchFailed f ->
          result(task, ends, launched, -1, workerOf, captureBytes, tries, nowMicros);
      case Verdict.RankFailed failed ->
          result(task, ends, launched, failed.rank(), workerOf, captureBytes, tries, nowMicros);
      case Verdict.TooLarge large ->
          TaskResult.notRun(
              task.ordinal(), task.id(), TaskStatus.FAILED, tooLarge(task, large), nowMicros);
    };
  }

  /**
   * The number of bytes of an output that each rank keeps, so that all ranks together keep as much
   * as their job may.
   */
  static int share(int captureBytes, int ranks) {
    return Math.max(1, captureBytes / Math.max(1, ranks));
  }

  /** Whether any of these ranks may still run; then no worker may try their job again. */
  static boolean anyStuck(Map<Integer, RankEnd> ends) {
    return ends.values().stream().anyMatch(RankEnd::stuck);
  }

  /**
   * The status of a job whose rank failed. A rank's status is a text from another worker, and some
   * statuses are not valid for a job.
   */
  private static TaskStatus statusOf(RankEnd failed) {
    return failed.status().equals(TaskStatus.TIMED_OUT.name())
        ? TaskStatus.TIMED_OUT
        : TaskStatus.FAILED;
  }

  private static String tooLarge(Task task, Verdict.TooLarge large) {
    int ranks = task.work() instanceof Work.Hpc hpc ? hpc.ranks() : 1;
    return switch (large.limit()) {
      case RankLimit.Option option ->
          "it has %d ranks, but --max-ranks allows %d".formatted(ranks, option.ranks());
      case RankLimit.LiveWorkers live ->
          "it has %d ranks, but the live workers have %d slots in total; start more workers, or raise their -t"
              .formatted(ranks, live.ranks());
      case RankLimit.Fleet fleet when !fleet.refusal().isEmpty() ->
          "it has %d ranks, but the fleet has %d slots, and the launcher has refused more workers for too long: %s"
              .formatted(ranks, fleet.ranks(), fleet.refusal());
      case RankLimit.Fleet fleet when fleet.launchedOnly() ->
          "it has %d ranks, but the fleet can have at most %d slots: %d workers of %d; raise --max or --worker-slots of the provisioner"
              .formatted(ranks, fleet.ranks(), fleet.workers(), fleet.slotsEach());
      case RankLimit.Fleet fleet ->
          "it has %d ranks, but the fleet can have at most %d slots: those of the live workers, and those that --max %d, --worker-slots %d and --max-hourly of the provisioner allow in addition; raise one of these"
              .formatted(ranks, fleet.ranks(), fleet.workers(), fleet.slotsEach());
    };
  }

  /** A rank's exit code; a command that was stopped before it started has that of a killed one. */
  private static int exitCode(Task job, RankEnd end) {
    boolean isCommand = job.work() instanceof Work.Hpc hpc && hpc.each().kind() == Work.Kind.EXEC;
    boolean neverStarted =
        end.startedMicros() == 0
            && end.exitCode() == 0
            && !end.status().equals(TaskStatus.SUCCEEDED.name());
    return isCommand && neverStarted ? KILLED : end.exitCode();
  }

  private static TaskResult result(
      Task task,
      Map<Integer, RankEnd> ends,
      @Nullable Launched launched,
      int failedRank,
      IntFunction<String> workerOf,
      int captureBytes,
      int tries,
      long nowMicros) {
    RankEnd failed = ends.get(failedRank);
    RankEnd first = ends.get(0);
    int perRank = share(captureBytes, ends.size());
    List<RankResult> ranks = new ArrayList<>();
    for (RankEnd end : ends.values()) {
      byte[] said = end.stdoutBytes() > 0 ? end.stdout() : end.output();
      ranks.add(
          new RankResult(
              end.rank(),
              workerOf.apply(end.rank()),
              exitCode(task, end),
              Outputs.head(said, perRank),
              Outputs.head(end.stderr(), perRank)));
    }
    long started =
        ends.values().stream()
            .mapToLong(RankEnd::startedMicros)
            .filter(micros -> micros > 0)
            .max()
            .orElse(nowMicros);
    long finished =
        ends.values().stream().mapToLong(RankEnd::finishedMicros).max().orElse(nowMicros);
    RankEnd shown = failed == null ? first : failed;
    TaskStatus status = TaskStatus.SUCCEEDED;
    String error = "";
    int exitCode = 0;
    if (failed != null) {
      status = statusOf(failed);
      exitCode = failed.exitCode();
      error = "rank %d: %s".formatted(failed.rank(), failed.error());
    } else if (failedRank >= 0) {
      status = TaskStatus.FAILED;
      error = "rank %d failed".formatted(failedRank);
    }
    if (launched != null && (failed == null || launched.status() == TaskStatus.TIMED_OUT)) {
      status = launched.status();
      exitCode = launched.exitCode();
      error = launched.error();
    }
    boolean byLauncher = launched != null && launched.stdoutBytes() + launched.stderrBytes() > 0;
    byte[] stdout = NOTHING;
    long stdoutBytes = 0;
    byte[] stderr = NOTHING;
    long stderrBytes = 0;
    if (launched != null && byLauncher) {
      stdout = launched.stdout();
      stdoutBytes = launched.stdoutBytes();
      stderr = launched.stderr();
      stderrBytes = launched.stderrBytes();
    } else if (shown != null) {
      stdout = shown.stdout();
      stdoutBytes = shown.stdoutBytes();
      stderr = shown.stderr();
      stderrBytes = shown.stderrBytes();
    }
    return new TaskResult(
            task.ordinal(),
            task.id(),
            status,
            exitCode,
            Outputs.head(stdout, captureBytes),
            stdoutBytes,
            Outputs.head(stderr, captureBytes),
            stderrBytes,
            first == null ? NOTHING : Outputs.head(first.output(), captureBytes),
            first == null ? 0 : first.outputBytes(),
            error.length() <= ERROR_CHARS ? error : error.substring(0, ERROR_CHARS) + "...",
            Math.min(started, finished),
            finished,
            tries,
            ranks.size() <= Limits.RANKS ? ranks : List.of())
        .with(launched != null && byLauncher ? launched.spools() : Spools.NONE);
  }
}
