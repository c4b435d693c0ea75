package io.cloudkon.simulator.client;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.function.BooleanSupplier;

/** Delays a client's steps until its lease of the run is certain to hold. */
final class LeaseWait {
  private static final long AGAIN = 300_000;

  private final SimProcess process;
  private final BooleanSupplier valid;

  /**
   * A wait for one client.
   *
   * @param valid whether the lease is certain to hold now
   */
  LeaseWait(SimProcess process, BooleanSupplier valid) {
    this.process = process;
    this.valid = valid;
  }

  /**
   * Continues once the lease holds; at once if it holds now.
   *
   * @param inVain whether the step is no longer needed; evaluated at each check
   */
  void until(BooleanSupplier inVain, Runnable then) {
    if (inVain.getAsBoolean()) {
      return;
    }
    if (valid.getAsBoolean()) {
      then.run();
    } else {
      later(() -> until(inVain, then));
    }
  }

  /** Continues after a while. */
  void later(Runnable then) {
    process.in(AGAIN, then);
  }
}
