package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** By the machine's own way to process groups. */
class WorkerDeathTest extends WorkerDeathContract {
  WorkerDeathTest() {
    super(Guards.DETECTED);
  }
}
