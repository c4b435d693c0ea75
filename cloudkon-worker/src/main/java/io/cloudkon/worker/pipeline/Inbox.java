package io.cloudkon.worker.pipeline;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;

/** Accepts all events for the worker's loop to read. Thread safe, never blocks. */
public interface Inbox {

  /** Adds an event. */
  void post(WorkerEvent event);

  /** Adds an event of one bundle. */
  default void post(long bundle, BundleEvent event) {
    post(new WorkerEvent.OfBundle(bundle, event));
  }
}
