package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.hpc.mpi.MpiFlavour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds this worker's mpiexec, and checks that it is MPICH's. Thread safe. */
final class MpiexecSearch {
  private static final int NOT_FOUND = 127;
  private static final int VERSION_BYTES = 64 * 1024;

  /** Long, as a verdict by a machine that is busy for a moment would fail the job. */
  private static final long VERSION_SECONDS = 30;

  /** Reached only where something that it has left in the background keeps its output open. */
  private static final long DRAIN_SECONDS = 10;

  private final ExecRun exec;
  private final Map<String, String> environment;
  private volatile @Nullable String found;

  /**
   * A search that has not begun.
   *
   * @param environment the worker's environment
   */
  MpiexecSearch(ExecRun exec, Map<String, String> environment) {
    this.exec = exec;
    this.environment = environment;
  }

  /** The absolute path of mpiexec; remembered once it was found. */
  String find(CommandSite site) throws IOException, CommandLine.CannotStartException {
    String known = found;
    if (known == null) {
      known = search(site);
      found = known;
    }
    return known;
  }

  private String search(CommandSite site) throws IOException, CommandLine.CannotStartException {
    String named = environment.get(MpiFlavour.VARIABLE);
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    List<String> seen = new ArrayList<>();
    for (String name : named == null ? MpiFlavour.NAMES : List.of(named)) {
      Path file;
      try {
        file = CommandLine.find(name, Path.of("").toAbsolutePath(), path);
      } catch (CommandLine.CannotStartException e) {
        continue;
      }
      switch (MpiFlavour.of(version(file, site))) {
        case MPICH -> {
          return file.toString();
        }
        case OPEN_MPI -> seen.add(file + " is Open MPI's");
        case OTHER -> seen.add(file + " is not MPICH's");
      }
    }
    throw new CommandLine.CannotStartException(NOT_FOUND, none(named, path, seen));
  }

  private static String none(@Nullable String named, String path, List<String> seen) {
    String place =
        named == null
            ? "this worker has no MPICH mpiexec on its PATH " + path
            : "CLOUDKON_MPIEXEC of this worker is not an MPICH mpiexec: '" + named + "'";
    String others = seen.isEmpty() ? "" : " (" + String.join(", ", seen) + ")";
    return place + others + "; install mpich or set CLOUDKON_MPIEXEC to its mpiexec.hydra";
  }

  private String version(Path file, CommandSite site) throws IOException {
    List<String> argv = List.of(file.toString(), "--version");
    try (var process = exec.guard().prepare(argv, site.directory(), site.environment())) {
      Capture stdout = new Capture(VERSION_BYTES, exec::scratch);
      Capture stderr = new Capture(VERSION_BYTES, exec::scratch);
      process.begin(new byte[0], stdout, stderr, exec.pipes());
      boolean ended = process.ends(TimeUnit.SECONDS.toNanos(VERSION_SECONDS));
      process.release();
      if (!ended) {
        throw new IOException(
            "%s did not print its version within %d s".formatted(file, VERSION_SECONDS));
      }
      boolean _ = process.drains(TimeUnit.SECONDS.toNanos(DRAIN_SECONDS));
      return new String(stdout.head(), UTF_8) + new String(stderr.head(), UTF_8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + file + " was asked for its version", e);
    }
  }
}
