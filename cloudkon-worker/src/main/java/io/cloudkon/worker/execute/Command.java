package io.cloudkon.worker.execute;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.worker.execute.guard.GuardedProcess;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A started command: feeds it, drains it, waits for its end or makes one. Used by one slot once.
 */
final class Command {
  private static final int SIGKILLED = 128 + 9;

  /** Between two looks at whether a kill came: only for one that did not end the command. */
  private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a killed command may stay in the kernel. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long output may come after the command and its group ended. */
  private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final GuardedProcess process;
  private final Capture stdout;
  private final Capture stderr;
  private boolean stuck;
  private boolean interrupted;

  /**
   * Starts the command.
   *
   * @throws IOException if it cannot be started
   */
  static Command begin(
      GuardedProcess process, byte[] stdin, Executor pipes, int captureBytes, Capture.Disk disk)
      throws IOException {
    return begin(process, stdin, pipes, captureBytes, disk, own -> own);
  }

  /**
   * The same, where the output is what a filter leaves of the command's own.
   *
   * @param filter what is put before what keeps the standard output
   */
  static Command begin(
      GuardedProcess process,
      byte[] stdin,
      Executor pipes,
      int captureBytes,
      Capture.Disk disk,
      UnaryOperator<OutputSink> filter)
      throws IOException {
    Command command =
        new Command(process, new Capture(captureBytes, disk), new Capture(captureBytes, disk));
    process.begin(stdin, filter.apply(command.stdout), command.stderr, pipes);
    return command;
  }

  private Command(GuardedProcess process, Capture stdout, Capture stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** Whether it did not end although it was killed. */
  boolean stuck() {
    return stuck;
  }

  /** Returns once it has ended, and its group with it. */
  TaskOutcome run(TimeLimit limit, Interruption interruption, Stamps stamps, long started)
      throws TaskInterruptedException {
    try {
      TaskWatch.End end = await(limit.deadline(), interruption);
      if (end != TaskWatch.End.DONE) {
        kill();
      }
      // before it is released: the guard's answers are about groups that it knows
      boolean byGuard = end == TaskWatch.End.DONE && killedByGuard();
      process.release();
      drain();
      int exitCode = stuck ? SIGKILLED : process.exitCode();
      return switch (end) {
        case DONE -> {
          if (byGuard) {
            throw new TaskInterruptedException(
                "its guard killed it: the heartbeat was late, or somebody killed the guard");
          }
          yield ended(exitCode, stamps, started);
        }
        case TIMED_OUT -> {
          yield outcome(TaskStatus.TIMED_OUT, exitCode, limit.exceeded(), stamps, started);
        }
        case KILLED ->
            throw interruption.exception(
                outcome(TaskStatus.CANCELLED, exitCode, "it was ended", stamps, started));
      };
    } finally {
      stdout.close();
      stderr.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What came of one that was killed for this reason. */
  TaskOutcome failed(String error, Stamps stamps, long started) {
    return outcome(TaskStatus.FAILED, SIGKILLED, error, stamps, started);
  }

  private TaskWatch.End await(Deadline deadline, Interruption interruption) {
    try (var _ = interruption.onKill(process::kill)) {
      while (true) {
        boolean ended = process.ends(Math.min(deadline.left(), SLICE_NANOS));
        if (interruption.killed()) {
          return TaskWatch.End.KILLED;
        }
        if (ended) {
          return TaskWatch.End.DONE;
        }
        if (deadline.left() <= 0) {
          return TaskWatch.End.TIMED_OUT;
        }
      }
    } catch (InterruptedException e) {
      interrupted = true;
      return TaskWatch.End.KILLED;
    }
  }

  private void kill() {
    process.kill();
    process.sweep();
    stuck = !patiently(() -> process.ends(GRACE_NANOS));
  }

  /**
   * The group is being killed, so its pipes end. Only what left the group can hold them open; where
   * it cannot be found it keeps them, and two threads, until it ends.
   */
  private void drain() {
    if (!drained()) {
      process.sweep();
      if (!drained()) {
        drained();
      }
    }
  }

  private boolean drained() {
    return patiently(() -> process.drains(DRAIN_NANOS));
  }

  private boolean killedByGuard() {
    return process.exitCode() == SIGKILLED && process.killedByGuard();
  }

  private TaskOutcome ended(int exitCode, Stamps stamps, long started) {
    return exitCode == 0
        ? outcome(TaskStatus.SUCCEEDED, exitCode, "", stamps, started)
        : outcome(TaskStatus.FAILED, exitCode, Texts.exited(exitCode), stamps, started);
  }

  private TaskOutcome outcome(
      TaskStatus status, int exitCode, String error, Stamps stamps, long started) {
    return TaskOutcome.exited(status, exitCode, stdout, stderr, error, started, stamps.now(), stuck)
        .with(new TaskUsage(0, process.cpuMicros()));
  }

  private interface Wait {
    boolean ends() throws InterruptedException;
  }

  /** Waits on although the slot was interrupted: the end has been made sure of. */
  private boolean patiently(Wait wait) {
    while (true) {
      try {
        return wait.ends();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
