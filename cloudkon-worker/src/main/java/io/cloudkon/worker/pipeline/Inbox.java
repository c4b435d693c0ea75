package io.cloudkon.worker.pipeline;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;

/**
 * Where everything that happens is told; the worker's loop takes it from there. Thread safe, never
 * blocks.
 */
public interface Inbox {

  /** Something happened. */
  void post(WorkerEvent event);

  /** Something happened to one bundle. */
  default void post(long bundle, BundleEvent event) {
    post(new WorkerEvent.OfBundle(bundle, event));
  }
}
