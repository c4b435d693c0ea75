package io.cloudkon.worker.execute.guard;

/** By the machine's own way to process groups. */
class GuardTest extends GuardContract {
  GuardTest() {
    super(Guards.DETECTED);
  }
}
