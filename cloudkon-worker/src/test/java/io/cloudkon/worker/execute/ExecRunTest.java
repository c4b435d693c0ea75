package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;

/** By the machine's own way to process groups. */
class ExecRunTest extends ExecRunContract {
  ExecRunTest() {
    super(Guards.DETECTED);
  }
}
