package io.cloudkon.simulator.load;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.function.IntUnaryOperator;

/**
 * A message of the request queue.
 *
 * @param run the run that it belongs to
 * @param bundle its contents
 * @param bytes its size, as SQS counts it
 */
public record Request(SimRun run, Bundle bundle, int bytes) {
  /** The size of a message without its tasks: header and attributes, in bytes. */
  private static final int HEADER_BYTES = 260;

  /** A request with its size computed. */
  public static Request of(SimRun run, Bundle bundle) {
    int bytes = HEADER_BYTES;
    for (Task task : bundle.tasks()) {
      bytes += BundleCodec.sizeOf(task);
    }
    return new Request(run, bundle, bytes);
  }

  /** Whether it is an HPC job. */
  public boolean job() {
    return bundle.tasks().getFirst().work() instanceof Work.Hpc;
  }

  /** The bundle's id: the key of its claim. */
  public String id() {
    return bundle.header().bundle();
  }

  /** A child with the tasks at these positions. */
  public Request child(int k, Positions tasks) {
    return of(run, bundle.child(k, tasks));
  }

  /** Likewise, after failed tries. */
  public Request child(int k, Positions tasks, IntUnaryOperator tried) {
    return of(run, bundle.child(k, tasks, tried));
  }

  @Override
  public String toString() {
    return id();
  }
}
