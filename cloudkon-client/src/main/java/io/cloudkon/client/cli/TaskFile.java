package io.cloudkon.client.cli;

import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The tasks of a workload file. Those from standard input or a pipe are kept in the run's folder,
 * unless they are streamed.
 *
 * @param file a path, or {@code -} for standard input
 * @param streamed whether its tasks are sent as they are read, and cannot be read again
 */
record TaskFile(String file, boolean streamed) implements TaskOrigin {
  @Override
  public Workload open(RunChecks checks) {
    return streamed
        ? Workload.stream(file, System.in, WorkloadFormat.AUTO, checks)
        : Workload.open(file, System.in, WorkloadFormat.AUTO, checks);
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    return streamed || SentWorkload.isFile(file)
        ? folder
        : folder.keeping(KeptWorkload.of(workload.format(), workload::copyTo));
  }

  @Override
  public String name(RunFolder folder) {
    return folder.keptWorkload().map(Path::toString).orElse(file);
  }

  @Override
  public String again(RunFolder folder) {
    Optional<Path> kept = folder.keptWorkload();
    if (kept.isPresent()) {
      return kept.get().toAbsolutePath().toString();
    }
    // what came through a pipe, such as a shell's <(…), is not under its path any more
    return SentWorkload.isFile(file)
        ? Path.of(file).toAbsolutePath().toString()
        : SentWorkload.STANDARD_INPUT;
  }
}
