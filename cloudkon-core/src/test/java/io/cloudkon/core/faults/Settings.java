package io.cloudkon.core.faults;

import io.cloudkon.core.memory.faults.Misbehaviour;
import java.util.Set;

/**
 * How one world is set up.
 *
 * @param seed of everything that is drawn
 * @param misbehaviour of the cloud
 * @param calmAfter when it stops to misbehave, in milliseconds of virtual time
 * @param slowest how long a message may be under way, in milliseconds of virtual time
 * @param limit by when all must be over, in milliseconds of virtual time
 * @param bugs planted ones
 * @param orderChecked whether the order of effects is watched as well; else only what a user could
 *     see is
 * @param traced whether a readable trace is kept
 */
record Settings(
    long seed,
    Misbehaviour misbehaviour,
    long calmAfter,
    int slowest,
    long limit,
    Set<Bug> bugs,
    boolean orderChecked,
    boolean traced) {

  static Settings calm(long seed) {
    return new Settings(seed, Misbehaviour.none(), 0, 20, 600_000, Set.of(), true, false);
  }

  /** The cloud misbehaves for so many milliseconds. */
  static Settings stormy(long seed, Misbehaviour misbehaviour, long millis) {
    return new Settings(seed, misbehaviour, millis, 20, 1_200_000, Set.of(), true, false);
  }

  Settings withSlowest(int millis) {
    return new Settings(seed, misbehaviour, calmAfter, millis, limit, bugs, orderChecked, traced);
  }

  Settings withBug(Bug bug) {
    return new Settings(seed, misbehaviour, calmAfter, slowest, limit, Set.of(bug), false, traced);
  }

  Settings withOrderWatched() {
    return new Settings(seed, misbehaviour, calmAfter, slowest, limit, bugs, true, traced);
  }

  Settings withTrace() {
    return new Settings(seed, misbehaviour, calmAfter, slowest, limit, bugs, orderChecked, true);
  }
}
