package io.cloudkon.client.status;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.process.Launcher;

/** The status of a run at one moment of the service's clock. */
public enum RunStatus {
  /** Open, and a client has its lease. */
  COLLECTED,
  /** Open; its client has released the lease: it was detached, or ended in good order. */
  DETACHED,
  /** Open; its client has not renewed the lease: it died, or has lost its connection. */
  GONE,
  /** Cancelled by a user. */
  CANCELLED,
  /** Every task has its result. */
  ENDED;

  /** The status of a run. */
  public static RunStatus of(RunEntry run, long nowMillis) {
    return switch (run.state()) {
      case ENDED -> ENDED;
      case CANCELLED -> CANCELLED;
      case OPEN -> {
        // A client that ends in good order writes a lease that has already expired, by its own
        // estimate of the service's clock, which may be ahead of the reader's.
        boolean letGo = run.leaseEnd() <= run.updatedMillis();
        yield letGo ? DETACHED : run.leaseEnd() > nowMillis ? COLLECTED : GONE;
      }
    };
  }

  /** One word for the status. */
  public String word() {
    return switch (this) {
      case COLLECTED, GONE -> "open";
      case DETACHED -> "detached";
      case CANCELLED -> "cancelled";
      case ENDED -> "ended";
    };
  }

  /** Whether nothing of the run remains to be done. */
  boolean isOver() {
    return switch (this) {
      case COLLECTED, DETACHED, GONE -> false;
      case CANCELLED, ENDED -> true;
    };
  }

  /** The command that collects the results of a run that no client holds. */
  public static String resume(String cluster, String run) {
    return "%s client -s %s --resume %s".formatted(Launcher.name(), cluster, run);
  }
}
