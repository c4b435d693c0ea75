package io.cloudkon.simulator.client;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.function.BooleanSupplier;

/** Lets a client's steps wait until its lease of the run is certain to hold. */
final class LeaseWait {
  private static final long AGAIN = 300_000;

  private final SimProcess process;
  private final BooleanSupplier valid;

  /**
   * Waits for one client.
   *
   * @param valid whether the lease is certain to hold now
   */
  LeaseWait(SimProcess process, BooleanSupplier valid) {
    this.process = process;
    this.valid = valid;
  }

  /**
   * Goes on once the lease holds, at once if it does.
   *
   * @param inVain whether there is nothing to go on with any more; asked at each look
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

  /** Goes on after a while. */
  void later(Runnable then) {
    process.in(AGAIN, then);
  }
}
