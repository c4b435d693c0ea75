package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs refused calls, at most once a minute per peer, for a limited number of peers. Thread safe.
 */
final class Refusals {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int PEERS = Limits.RANKS;

  private final Map<String, Long> saidAt = new HashMap<>();
  private final Consumer<String> log;
  private final LongSupplier nanos;

  Refusals(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  void say(String peer, String why, long soFar) {
    if (due(peer)) {
      log.accept("refused a call of %s: %s; %d so far".formatted(peer, why, soFar));
    }
  }

  private synchronized boolean due(String peer) {
    long now = nanos.getAsLong();
    saidAt.values().removeIf(at -> now - at >= QUIET_NANOS);
    return saidAt.size() < PEERS && saidAt.putIfAbsent(peer, now) == null;
  }
}
