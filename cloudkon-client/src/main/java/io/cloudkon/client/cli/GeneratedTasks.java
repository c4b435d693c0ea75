package io.cloudkon.client.cli;

import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Tasks that are in no file of the user's, and are kept in the run's folder.
 *
 * @param name as messages name them where there is no folder
 * @param lines makes them, in JSON Lines
 */
record GeneratedTasks(String name, Supplier<InputStream> lines) implements TaskOrigin {

  @Override
  public boolean streamed() {
    return false;
  }

  @Override
  public Workload open(RunChecks checks) {
    return Workload.open(name, lines.get(), checks);
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
