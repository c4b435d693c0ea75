package io.cloudkon.client.rerun;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.client.workload.GeneratedLines;
import io.cloudkon.client.workload.TaskLine;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.UnwritableTaskException;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.List;

/** The lines of some tasks of a workload, each with its task's id. Not thread safe. */
final class RerunLines extends GeneratedLines {
  private final TaskReader reader;
  private final BitSet chosen;

  RerunLines(Workload workload, BitSet chosen) {
    this.reader = workload.read();
    this.chosen = chosen;
  }

  @Override
  protected boolean next(OutputStream to) throws IOException {
    for (Task task = reader.next(); task != null; task = reader.next()) {
      if (chosen.get(task.ordinal())) {
        to.write(line(task, reader.values()).getBytes(UTF_8));
        return true;
      }
    }
    return false;
  }

  private static String line(Task task, List<String> values) {
    try {
      return TaskLine.of(task, values);
    } catch (UnwritableTaskException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
