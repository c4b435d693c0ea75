package io.cloudkon.worker.cli;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.worker.execute.Mounting;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.execute.guard.InheritedVariables;
import io.cloudkon.worker.execute.guard.StartRule;
import io.cloudkon.worker.execute.guard.TaskUserTrial;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the permissions and limits of tasks, as a mixin. */
final class TaskOptions {
  @Option(
      names = "--env-pass",
      paramLabel = "NAME",
      split = ",",
      description = "AWS_* variables to pass to tasks (repeatable).")
  Set<String> envPass = new LinkedHashSet<>();

  @Option(
      names = "--task-user",
      paramLabel = "NAME",
      description = "Run commands as this user. Default: as the worker.")
  @Nullable String taskUser;

  @Option(
      names = "--max-capture",
      paramLabel = "SIZE",
      converter = Sizes.Bytes.class,
      description = "Maximum kept of each task output. Default: 256MiB.")
  long maxCapture = Limits.CAPTURE_BYTES;

  @Option(
      names = "--max-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Time limit of each try of a task. Default: none.")
  @Nullable Duration maxTimeout;

  @Option(
      names = "--mounts",
      paramLabel = "MODE",
      description = "Mount shipped files: auto, on or off. Default: auto.")
  String mounts = "auto";

  /**
   * The configuration from these options; checks that the task user can be used.
   *
   * @param mpiPorts the ports of MPI programs; null means any port
   */
  RunnerConfig config(
      Set<AllowedWork> allowed, Duration guardDeadline, @Nullable MpiPorts mpiPorts) {
    if (maxCapture > Limits.CAPTURE_BYTES) {
      throw new UsageException(
          "--max-capture %d bytes: expected at most 256MiB".formatted(maxCapture));
    }
    if (maxTimeout != null && maxTimeout.isZero()) {
      throw new UsageException("--max-timeout 0s: expected a time longer than 0");
    }
    StartRule start =
        new StartRule(
            InheritedVariables.withoutCredentials(envPass),
            taskUser == null ? null : TaskUserTrial.of(taskUser));
    RunnerConfig config =
        new RunnerConfig(
                allowed,
                (int) maxCapture,
                null,
                guardDeadline,
                start,
                maxTimeout == null ? 0 : maxTimeout.toMillis())
            .with(mpiPorts)
            .with(mounting());
    if (config.mounting() == Mounting.ON) {
      checkMounts(config);
    }
    return config;
  }

  private Mounting mounting() {
    return switch (mounts) {
      case "auto" -> Mounting.AUTO;
      case "on" -> Mounting.ON;
      case "off" -> Mounting.OFF;
      default ->
          throw new UsageException("--mounts %s: expected auto, on or off".formatted(mounts));
    };
  }

  private void checkMounts(RunnerConfig config) {
    if (taskUser != null) {
      throw new UsageException(
          "--mounts on cannot be combined with --task-user, for whom shipped files are copied");
    }
    if (config.shippedFiles() != ShippedFiles.MOUNTED) {
      throw new UsageException(
          "--mounts on: no overlay can be mounted below %s; expected Linux and root (CAP_SYS_ADMIN); leave the option out"
              .formatted(config.temporary()));
    }
  }
}
