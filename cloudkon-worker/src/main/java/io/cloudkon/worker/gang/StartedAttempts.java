package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.RecentKeys;
import io.cloudkon.hpc.rmi.StartRanks;
import java.util.HashMap;
import java.util.Map;

/**
 * The most recent attempts of jobs whose ranks were started here, by gang. Bounded, because a gang
 * that serves one job after another is not forgotten. Thread safe.
 */
final class StartedAttempts {
  /** More attempts of one gang than can have copies of orders that may still arrive. */
  static final int MOST = 1_000;

  private final Map<String, RecentKeys> byGang = new HashMap<>();

  /** Adds the attempt of this order; false if it is among the most recent ones already. */
  synchronized boolean add(String gang, StartRanks start) {
    return byGang
        .computeIfAbsent(gang, g -> new RecentKeys(MOST))
        .add(start.job() + '#' + start.attempt());
  }

  /** Forgets a gang that has no ranks here any more. */
  synchronized void forget(String gang) {
    byGang.remove(gang);
  }
}
