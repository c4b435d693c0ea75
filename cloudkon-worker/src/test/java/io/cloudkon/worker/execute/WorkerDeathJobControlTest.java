package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** By the way of macOS. */
class WorkerDeathJobControlTest extends WorkerDeathContract {
  WorkerDeathJobControlTest() {
    super(Guards.JOB_CONTROL);
  }
}
