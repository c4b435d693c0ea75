package io.cloudkon.client.cli;

import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tasks that are not in a file of the user's, and are therefore kept in the run's folder.
 *
 * @param name their name in messages if there is no folder
 * @param fileOption the option that names the files that single tasks need, for messages; empty if
 *     the lines do
 * @param hasOneProgram whether all tasks have the same program
 * @param lines generates them in JSON Lines
 */
record GeneratedTasks(
    String name, Optional<String> fileOption, boolean hasOneProgram, Supplier<InputStream> lines)
    implements TaskOrigin {

  @Override
  public boolean streamed() {
    return false;
  }

  @Override
  public Workload open(RunChecks checks) {
    return Workload.open(
        name, lines.get(), fileOption.map(checks::withFilesNamedBy).orElse(checks));
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    return folder.keeping(KeptWorkload.of(workload::copyTo));
  }

  @Override
  public String name(RunFolder folder) {
    return folder.keptWorkload().map(Path::toString).orElse(name);
  }

  @Override
  public String again(RunFolder folder) {
    return folder.keptWorkload().map(Path::toAbsolutePath).map(Path::toString).orElse(name);
  }
}
