package io.cloudkon.worker.pipeline;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;

/** Takes all events; the worker's loop reads them from there. Thread safe, never blocks. */
public interface Inbox {

  /** Something happened. */
  void post(WorkerEvent event);

  /** Something happened to one bundle. */
  default void post(long bundle, BundleEvent event) {
    post(new WorkerEvent.OfBundle(bundle, event));
  }
}
