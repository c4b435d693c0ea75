package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.OfferPause;
import io.cloudkon.hpc.rmi.Address;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this worker from taking offers of ranks for a while after a manager could not call it, logs
 * that once, and shows it in the worker's entry until one can. Thread safe.
 */
final class UnreachableHere {
  private static final Logger LOG = LoggerFactory.getLogger(UnreachableHere.class);

  private final OfferPause pause = new OfferPause();
  private final LongSupplier nanos;
  private final Consumer<String> shown;
  private boolean said;

  /**
   * Starts without a pause.
   *
   * @param nanos a monotonic clock
   * @param shown receives the address that cannot be called, and an empty text once it can
   */
  UnreachableHere(LongSupplier nanos, Consumer<String> shown) {
    this.nanos = nanos;
    this.shown = shown;
  }

  /** Whether this worker takes no offers of other workers' gangs now. */
  synchronized boolean pauses() {
    return pause.pauses(millis());
  }

  /**
   * Records that a manager could not call this worker.
   *
   * @param manager the manager's address
   * @param here the address that this worker advertises
   */
  synchronized void unreached(String manager, Address here) {
    long millis = pause.unreached(millis());
    if (millis == 0) {
      return;
    }
    String message = message(manager, here, millis);
    if (said) {
      LOG.info("{}", message);
    } else {
      LOG.warn("{}", message);
    }
    said = true;
    shown.accept(here.toString());
  }

  static String message(String manager, Address here, long pauseMillis) {
    return "the worker at %s cannot call this one at %s: it takes no ranks of others' HPC jobs for %d s, then tries again, up to once a minute; open that port to all workers of the cluster, or give an address that they reach as --rmi-address"
        .formatted(manager, here, TimeUnit.MILLISECONDS.toSeconds(pauseMillis));
  }

  /** Records that a manager could call this worker. */
  synchronized void reached() {
    pause.reached();
    if (said) {
      said = false;
      shown.accept("");
      LOG.info("other workers can call this one again: it takes ranks of HPC jobs");
    }
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
  }
}
