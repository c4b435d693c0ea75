package io.cloudkon.worker.input;

import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One shipment of a worker's cache, on its way or here. Guarded by the cache, unless something else
 * is said.
 */
final class CachedShipment {
  final String run;
  final CompletableFuture<UnpackedShipment> shipment = new CompletableFuture<>();
  int users;
  long lastUse;

  /** The run whose tasks got it last, and may have changed it; guarded by the entry. */
  private String lastRun;

  /** Whether it was taken out while in use; its last user then removes it. */
  boolean dropped;

  CachedShipment(String run) {
    this.run = run;
    this.lastRun = run;
  }

  /** The shipment; empty unless it is here. */
  Optional<UnpackedShipment> here() {
    return shipment.isDone() && !shipment.isCompletedExceptionally()
        ? Optional.of(shipment.join())
        : Optional.empty();
  }

  /**
   * Checks it for a run before its tasks use it; returns false if its folder was removed or, after
   * another run, changed. Reads the attributes of all files then, so it must not be called with the
   * cache locked.
   */
  synchronized boolean intactFor(String next) {
    Optional<UnpackedShipment> here = here();
    if (here.isPresent()
        && (!Files.exists(here.get().root())
            || (!next.equals(lastRun) && !here.get().isIntact()))) {
      return false;
    }
    lastRun = next;
    return true;
  }
}
