package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** Without a shell between. */
class WorkerDeathSpawnTest extends WorkerDeathContract {
  WorkerDeathSpawnTest() {
    super(Guards.SPAWN);
  }
}
