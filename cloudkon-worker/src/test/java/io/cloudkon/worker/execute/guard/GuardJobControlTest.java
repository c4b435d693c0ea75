package io.cloudkon.worker.execute.guard;

/** By the way of macOS. */
class GuardJobControlTest extends GuardContract {
  GuardJobControlTest() {
    super(Guards.JOB_CONTROL);
  }
}
