package io.cloudkon.worker.execute;

import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.core.model.Task;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.worker.execute.guard.StartRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the tasks that a worker runs. Immutable.
 *
 * @param allowed the work that it runs ({@code --allow}); default all
 * @param captureBytes the maximum number of bytes that are kept of each output ({@code
 *     --max-capture}); default 64 KiB
 * @param directory the directory of commands that name none; null means a fresh one for each task,
 *     removed afterwards
 * @param guardDeadline the time that commands outlive the worker's last heartbeat: the lease minus
 *     the clock margin; default 13 s, at least 100 ms
 * @param start the user and variables with which commands start; default: as the worker, with all
 *     its variables
 * @param maxTimeoutMillis the longest that a task may run ({@code --max-timeout}), in milliseconds;
 *     default 0, which means no limit
 * @param temporary the folder for fresh directories and shipped files; default {@code
 *     java.io.tmpdir}
 * @param mpiPorts the ports on which mpiexec and the ranks of MPI programs listen ({@code
 *     --mpi-ports}), unless the task's or the worker's environment sets others; default null, which
 *     means any port
 * @param mounting whether shipped files are provided by mounts ({@code --mounts}); default {@code
 *     AUTO}
 */
public record RunnerConfig(
    Set<AllowedWork> allowed,
    int captureBytes,
    @Nullable Path directory,
    Duration guardDeadline,
    StartRule start,
    long maxTimeoutMillis,
    Path temporary,
    @Nullable MpiPorts mpiPorts,
    Mounting mounting) {

  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** Everything allowed, 64 KiB, fresh directories, 13 s. */
  public static final RunnerConfig DEFAULT =
      new RunnerConfig(EnumSet.allOf(AllowedWork.class), 64 * 1024, null, Duration.ofSeconds(13));

  /** A configuration with the default start rule and no time limit. */
  public RunnerConfig(
      Set<AllowedWork> allowed,
      int captureBytes,
      @Nullable Path directory,
      Duration guardDeadline) {
    this(allowed, captureBytes, directory, guardDeadline, StartRule.AS_THE_WORKER, 0);
  }

  /** A configuration with the default temporary folder and no MPI ports. */
  public RunnerConfig(
      Set<AllowedWork> allowed,
      int captureBytes,
      @Nullable Path directory,
      Duration guardDeadline,
      StartRule start,
      long maxTimeoutMillis) {
    this(
        allowed,
        captureBytes,
        directory,
        guardDeadline,
        start,
        maxTimeoutMillis,
        Path.of(System.getProperty("java.io.tmpdir")),
        null,
        Mounting.AUTO);
  }

  /** The same configuration with these MPI ports. */
  public RunnerConfig with(@Nullable MpiPorts ports) {
    return with(ports, mounting);
  }

  /** The same configuration with mounts or without. */
  public RunnerConfig with(Mounting other) {
    return with(mpiPorts, other);
  }

  private RunnerConfig with(@Nullable MpiPorts ports, Mounting mounts) {
    return new RunnerConfig(
        allowed,
        captureBytes,
        directory,
        guardDeadline,
        start,
        maxTimeoutMillis,
        temporary,
        ports,
        mounts);
  }

  public RunnerConfig {
    allowed = Set.copyOf(allowed);
    if (allowed.isEmpty()) {
      throw new UsageException(
          "--allow: at least one of noop, sleep, exec, java, shipped-java is needed");
    }
    if (captureBytes < 0) {
      throw new UsageException("--max-capture: must be 0 or more bytes, not " + captureBytes);
    }
    if (maxTimeoutMillis < 0) {
      throw new UsageException("--max-timeout: must be longer than 0");
    }
    if (guardDeadline.compareTo(SHORTEST) < 0) {
      throw new UsageException(
          "the guard's deadline must be at least 100 ms, not " + guardDeadline.toMillis() + " ms");
    }
  }

  /** The way in which commands get shipped files. Tries a mount once if one is wanted. */
  public ShippedFiles shippedFiles() {
    if (start.user() != null) {
      return ShippedFiles.COPIED;
    }
    if (overlays().isPresent()) {
      return ShippedFiles.MOUNTED;
    }
    return FileStatus.tellsAll(temporary) ? ShippedFiles.REUSED : ShippedFiles.COPIED;
  }

  /** The mounts by which commands get shipped files; empty if they get copies. */
  Optional<Overlays> overlays() {
    return start.user() == null ? Overlays.of(mounting, temporary) : Optional.empty();
  }

  /** The time limit of a task on this worker. */
  TimeLimit limit(Task task) {
    return TimeLimit.of(task.timeoutMillis(), maxTimeoutMillis);
  }

  /** The allowed work, as written on the command line. */
  String allowList() {
    return allowed.stream().sorted().map(Labels::of).collect(Collectors.joining(","));
  }
}
