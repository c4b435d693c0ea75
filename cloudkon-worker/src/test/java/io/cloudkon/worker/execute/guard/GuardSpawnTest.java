package io.cloudkon.worker.execute.guard;

/** Without a shell between. */
class GuardSpawnTest extends GuardContract {
  GuardSpawnTest() {
    super(Guards.SPAWN);
  }
}
