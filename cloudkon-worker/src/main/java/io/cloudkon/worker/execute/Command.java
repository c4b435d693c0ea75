package io.cloudkon.worker.execute;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.execute.guard.GuardedProcess;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A started command. Feeds its input, drains its output, and waits for its end or kills it. Used
 * once, by one slot.
 */
final class Command {
  private static final int SIGKILLED = 128 + 9;

  /**
   * The interval between checks for a kill; needed only for a kill that did not end the command.
   */
  private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time that a killed command may stay in the kernel. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The time in which output may still arrive after the command and its group ended. */
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
   * Starts the command, and filters its standard output.
   *
   * @param filter wraps the sink that keeps the standard output
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

  /** Whether the command was killed but did not end. */
  boolean stuck() {
    return stuck;
  }

  /** Waits until the command and its process group have ended. */
  TaskOutcome run(TimeLimit limit, Interruption interruption, Stamps stamps, long started)
      throws TaskInterruptedException {
    try {
      TaskWatch.End end = await(limit.deadline(), interruption);
      if (end != TaskWatch.End.DONE) {
        kill();
      }
      // before the release, because the guard answers only for groups that it knows
      boolean byGuard = end == TaskWatch.End.DONE && killedByGuard();
      process.release();
      drain();
      int exitCode = stuck ? SIGKILLED : process.exitCode();
      return switch (end) {
        case DONE -> {
          if (byGuard) {
            throw TaskInterruptedException.ofGuard();
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

  /** The outcome of a command that was killed for this reason. */
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
   * Waits for the pipes to end, as the group is being killed. Only a process that left the group
   * can hold them open; if it cannot be found, it keeps them and two threads until it ends.
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
        .with(process.usage());
  }

  private interface Wait {
    boolean ends() throws InterruptedException;
  }

  /** Waits even if the slot is interrupted: the command has already ended or been killed. */
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
