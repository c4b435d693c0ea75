package io.cloudkon.client.cli;

import io.cloudkon.client.report.RefusedLines;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.core.port.Cluster;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The additional actions of a run whose tasks come one by one, or that runs in this process.
 *
 * @param begun is called with the run's cluster when the run accepts tasks
 * @param results receives each result as it arrives
 * @param exitCode maps the run's exit code to that of the process
 * @param refused the lines that were no tasks, if there were any
 * @param openEnded whether the tasks so far say little about later ones
 * @param leaving is called before the client leaves the run because of a signal, or cancels it
 *     early; returns when no more tasks will finish in this process
 */
record RunHooks(
    Consumer<Cluster> begun,
    ResultSink results,
    IntUnaryOperator exitCode,
    Supplier<Optional<RefusedLines>> refused,
    boolean openEnded,
    Runnable leaving) {
  /** The hooks of a run whose tasks all exist from the beginning. */
  static final RunHooks NONE =
      new RunHooks(
          cluster -> {},
          ResultSink.none(),
          IntUnaryOperator.identity(),
          Optional::empty,
          false,
          () -> {});

  RunHooks withLeaving(Runnable action) {
    return new RunHooks(begun, results, exitCode, refused, openEnded, action);
  }
}
