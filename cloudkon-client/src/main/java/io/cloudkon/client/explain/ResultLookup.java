package io.cloudkon.client.explain;

import io.cloudkon.client.report.ResultRecord;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.Stamp;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Finds a task's line in {@code results.jsonl}, to which its client may be writing. */
final class ResultLookup {
  private ResultLookup() {}

  /**
   * A task with a line.
   *
   * @param ordinal its place in the run, from 0
   */
  record Found(int ordinal, TaskFacts.Result result) {}

  /** The line of the task with this id; empty if there is none, or no such file. */
  static Optional<Found> find(Path results, String id) {
    AtomicReference<ResultRecord> found = new AtomicReference<>();
    long unused =
        ResultsReader.read(
            results,
            line -> {
              if (line.task().equals(id)) {
                found.set(line);
              }
            });
    return Optional.ofNullable(found.get()).map(ResultLookup::found);
  }

  private static Found found(ResultRecord line) {
    return new Found(
        line.index(),
        new TaskFacts.Result(
            line.status(),
            line.worker(),
            line.attempt(),
            line.tries(),
            line.error(),
            line.stamps().getOrDefault(Stamp.FINISHED, 0L)));
  }
}
