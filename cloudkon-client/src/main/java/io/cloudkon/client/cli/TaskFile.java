package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.Consistency;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A workload file that a person names.
 *
 * @param file a path, or {@code -} for standard input
 * @param streamed whether its tasks are sent as they are read, and nowhere to be read again
 */
record TaskFile(String file, boolean streamed) implements TaskOrigin {

  @Override
  public Workload open(Consistency consistency, OptionalInt slots) {
    if (slots.isEmpty()) {
      return streamed
          ? Workload.stream(file, System.in, WorkloadFormat.AUTO, consistency)
          : Workload.open(file, System.in, WorkloadFormat.AUTO, consistency);
    }
    return streamed
        ? Workload.streamLocal(file, System.in, WorkloadFormat.AUTO, consistency, slots.getAsInt())
        : Workload.openLocal(file, System.in, WorkloadFormat.AUTO, consistency, slots.getAsInt());
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    return folder;
  }

  @Override
  public String name(RunFolder folder) {
    return file;
  }

  @Override
  public String again(RunFolder folder) {
    return file.equals("-") ? file : Path.of(file).toAbsolutePath().toString();
  }
}
