package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs refused calls, at most once a minute per peer, for a limited number of peers; late calls
 * apart from them. Thread safe.
 */
final class Refusals {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int PEERS = Limits.RANKS;

  private final Map<String, Long> saidAt = new HashMap<>();
  private final Consumer<String> log;
  private final Consumer<String> calm;
  private final LongSupplier nanos;

  /**
   * Logs nothing yet.
   *
   * @param log receives a line about a call that no worker should make
   * @param calm receives a line about a call that only came too late
   */
  Refusals(Consumer<String> log, Consumer<String> calm, LongSupplier nanos) {
    this.log = log;
    this.calm = calm;
    this.nanos = nanos;
  }

  void say(String peer, String why, long soFar) {
    if (due(peer)) {
      log.accept("refused a call of %s: %s; %d so far".formatted(peer, why, soFar));
    }
  }

  /** Logs a call for a gang that was over when it arrived, which nothing is wrong with. */
  void late(String peer) {
    calm.accept("ignored a late call of %s: its gang is over".formatted(peer));
  }

  private synchronized boolean due(String peer) {
    long now = nanos.getAsLong();
    saidAt.values().removeIf(at -> now - at >= QUIET_NANOS);
    return saidAt.size() < PEERS && saidAt.putIfAbsent(peer, now) == null;
  }
}
