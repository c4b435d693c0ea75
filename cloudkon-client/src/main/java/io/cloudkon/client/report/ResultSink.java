package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;

/** Takes the final results of a run in order of completion. Thread safe. */
public interface ResultSink extends Closeable {

  /**
   * Takes one task's final result.
   *
   * @param times the stamps that the tasks of its bundle share; passing the same object for all of
   *     them makes this fast
   * @param worker the worker that reported it; empty if none did
   * @param attempt the claim's attempt that it comes from
   * @param clockOffsetMicros the worker's clock minus the client's
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be kept
   */
  void accept(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros);

  /**
   * Takes the final results that one message brought. Parameters and errors are as above; a sink
   * that several threads use may handle them faster than one by one.
   */
  default void accept(
      BundleTimes times,
      String worker,
      int attempt,
      List<TaskResult> results,
      long clockOffsetMicros) {
    for (TaskResult result : results) {
      accept(times, worker, attempt, result, clockOffsetMicros);
    }
  }

  /**
   * Returns when every result accepted before the call would survive a crash of the machine: only
   * then may its message be deleted.
   *
   * @throws io.cloudkon.core.error.CloudKonException if they cannot be kept
   */
  void flushAndSync();

  /** The folder for files that tasks bring back; empty if they are not kept. */
  default Optional<FilesFolder> files() {
    return Optional.empty();
  }

  /** Keeps what was accepted, and closes. */
  @Override
  void close();

  /**
   * Combines this sink with another one, which is served first, so that its reader does not wait
   * for this one. This one is served even if the other one fails. Closing closes only this one.
   */
  default ResultSink and(ResultSink other) {
    ResultSink first = this;
    return new ResultSink() {
      @Override
      public void accept(
          BundleTimes times, String worker, int attempt, TaskResult result, long offset) {
        try {
          other.accept(times, worker, attempt, result, offset);
        } finally {
          first.accept(times, worker, attempt, result, offset);
        }
      }

      @Override
      public void accept(
          BundleTimes times, String worker, int attempt, List<TaskResult> results, long offset) {
        try {
          other.accept(times, worker, attempt, results, offset);
        } finally {
          first.accept(times, worker, attempt, results, offset);
        }
      }

      @Override
      public void flushAndSync() {
        other.flushAndSync();
        first.flushAndSync();
      }

      @Override
      public Optional<FilesFolder> files() {
        return first.files();
      }

      @Override
      public void close() {
        first.close();
      }
    };
  }

  /** A sink that keeps nothing: {@code --out none}. */
  static ResultSink none() {
    return new ResultSink() {
      @Override
      public void accept(
          BundleTimes times, String worker, int attempt, TaskResult result, long offset) {}

      @Override
      public void flushAndSync() {}

      @Override
      public void close() {}
    };
  }
}
