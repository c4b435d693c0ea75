package io.cloudkon.client.cli;

import io.cloudkon.client.report.ResultSink;
import io.cloudkon.core.port.Cluster;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * What happens besides in a run whose tasks come one by one.
 *
 * @param begun is called when the run takes tasks; the cluster is where it runs
 * @param results is told each result as it comes
 * @param exitCode makes the process's exit code of the run's
 * @param openEnded whether the tasks so far say little of those to come
 */
record RunHooks(
    Consumer<Cluster> begun, ResultSink results, IntUnaryOperator exitCode, boolean openEnded) {
  /** Of a run whose tasks are there from the beginning. */
  static final RunHooks NONE =
      new RunHooks(cluster -> {}, ResultSink.none(), IntUnaryOperator.identity(), false);
}
