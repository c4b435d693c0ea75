package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** Without a shell between. */
class ExecRunSpawnTest extends ExecRunContract {
  ExecRunSpawnTest() {
    super(Guards.SPAWN);
  }
}
