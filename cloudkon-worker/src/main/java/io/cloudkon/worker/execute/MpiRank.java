package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.hpc.mpi.HydraCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Runs one rank of an MPI program by a launch line of mpiexec. Its process starts the program in a
 * session of its own, so the guard finds the program only by its mark.
 */
final class MpiRank {
  private static final byte[] NO_INPUT = {};
  private static final int SIGKILLED = 128 + 9;
  private static final int EXIT_CODE_BYTES = 8;

  private final ExecRun exec;

  MpiRank(ExecRun exec) {
    this.exec = exec;
  }

  TaskOutcome run(
      TaskEnvironment around, Task task, Work.Exec work, RankPlace place, Interruption interruption)
      throws TaskInterruptedException, NotStartedException {
    return exec.run(
        around,
        task,
        work,
        place.environment(),
        interruption,
        site -> run(site, task, place, interruption));
  }

  private TaskOutcome run(CommandSite site, Task task, RankPlace place, Interruption interruption)
      throws IOException, CommandLine.CannotStartException, TaskInterruptedException {
    Path exit = exec.exchange("rank-");
    try {
      Map<String, String> environment = exec.mpiEnvironment(site);
      environment.put(HydraCommand.DIRECTORY, site.directory().toAbsolutePath().toString());
      environment.put(HydraCommand.EXIT_FILE, exit.toAbsolutePath().toString());
      List<String> argv = proxy(place.launch(), site);
      try (var process = exec.prepare(site, argv, environment)) {
        Command command =
            Command.begin(process, NO_INPUT, exec.pipes(), site.captureBytes(), exec::scratch);
        try {
          TaskOutcome ended =
              exec.settled(
                  task,
                  command,
                  () -> command.run(exec.limit(task), interruption, exec.stamps(), site.started()));
          return outcome(ended, exitCode(exit));
        } catch (TaskInterruptedException e) {
          return failedBefore(e, exitCode(exit));
        } finally {
          process.sweepNow();
        }
      }
    } finally {
      // a failure is logged only: the rank's outcome is known by now
      FileTrees.remove(exit);
    }
  }

  /**
   * The command of a launch line. If the proxy is not at the path that mpiexec printed, it is
   * searched for by name.
   */
  private static List<String> proxy(String launch, CommandSite site)
      throws CommandLine.CannotStartException {
    List<String> argv = new ArrayList<>(List.of(launch.strip().split("\\s+")));
    Path there = Path.of(argv.getFirst());
    if (!Files.isExecutable(there)) {
      argv.set(0, String.valueOf(there.getFileName()));
    }
    try {
      return CommandLine.resolve(argv, site.directory(), site.whole(), false);
    } catch (CommandLine.CannotStartException e) {
      throw new CommandLine.CannotStartException(
          e.exitCode(), "this worker has no MPICH: " + e.reason() + "; install mpich");
    }
  }

  private static TaskOutcome outcome(TaskOutcome ended, OptionalInt code) {
    return switch (ended.status()) {
      case TIMED_OUT, LOST, CANCELLED -> ended;
      case SUCCEEDED, FAILED -> {
        if (code.isEmpty()) {
          // mpiexec ends all ranks of a program if one of them failed.
          int killed = ended.exitCode() == 0 ? SIGKILLED : ended.exitCode();
          yield ended.as(TaskStatus.CANCELLED, killed, "it was ended before its MPI program ended");
        }
        int own = code.getAsInt();
        yield own == 0
            ? ended.as(TaskStatus.SUCCEEDED, 0, "")
            : ended.as(TaskStatus.FAILED, own, Texts.exited(own));
      }
    };
  }

  /**
   * The outcome of a killed rank whose program had failed by itself before, which is then why the
   * job ends. A program that was killed tells nothing; then the kill is thrown.
   */
  private static TaskOutcome failedBefore(TaskInterruptedException kill, OptionalInt code)
      throws TaskInterruptedException {
    TaskOutcome unfinished = kill.unfinished();
    int own = code.orElse(0);
    if (unfinished == null || own == 0 || own == SIGKILLED) {
      throw kill;
    }
    return unfinished.as(TaskStatus.FAILED, own, Texts.exited(own));
  }

  private static OptionalInt exitCode(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      // limited, because the program can write to it
      String text = new String(in.readNBytes(EXIT_CODE_BYTES), ISO_8859_1).strip();
      return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    } catch (IOException | NumberFormatException e) {
      return OptionalInt.empty(); // the program removed it, or wrote to it
    }
  }
}
