package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** By the way of macOS. */
class ExecRunJobControlTest extends ExecRunContract {
  ExecRunJobControlTest() {
    super(Guards.JOB_CONTROL);
  }
}
