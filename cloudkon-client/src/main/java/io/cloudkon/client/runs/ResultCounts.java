package io.cloudkon.client.runs;

import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Counts the results of runs that left no report. Reads only a limited number of bytes in all, so
 * that a list of runs stays quick. Used by one thread.
 */
final class ResultCounts {
  /** Some 50,000 results, which are read in half a second. */
  static final long BYTES = 32 << 20;

  private long bytesLeft;

  /** Counts that read at most this many bytes of results. */
  ResultCounts(long bytes) {
    this.bytesLeft = bytes;
  }

  /** The progress of the run in a folder; empty if it cannot be read, or is too large. */
  Optional<RunProgress> of(Path folder) {
    Path results = folder.resolve(RunFolder.RESULTS);
    Tally tally = new Tally();
    try {
      long bytes = Files.exists(results) ? Files.size(results) : 0;
      if (bytes > bytesLeft) {
        return Optional.empty();
      }
      bytesLeft -= bytes;
      long unused = ResultsReader.read(results, result -> tally.add(result.status()));
    } catch (IOException | CloudKonException e) {
      return Optional.empty(); // the list shows what else is known of the run
    }
    return Optional.of(
        new RunProgress(tally.all, tally.notSucceeded, false, 0, OptionalDouble.empty()));
  }

  private static final class Tally {
    private long all;
    private long notSucceeded;

    void add(TaskStatus status) {
      all++;
      notSucceeded += status == TaskStatus.SUCCEEDED ? 0 : 1;
    }
  }
}
