package io.cloudkon.hpc.rmi;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts, by peer, the connections over which no call was admitted yet: whoever has no secret may
 * hold few of them. Thread safe.
 */
final class Strangers {
  private final Map<String, Integer> byPeer = new HashMap<>();
  private final int most;

  /**
   * Counts none yet.
   *
   * @param most how many one peer may have
   */
  Strangers(int most) {
    this.most = most;
  }

  /** Counts one more connection of that peer; false, and nothing counted, if it has the most. */
  synchronized boolean enter(String peer) {
    int now = byPeer.getOrDefault(peer, 0);
    if (now >= most) {
      return false;
    }
    byPeer.put(peer, now + 1);
    return true;
  }

  /** A connection that {@link #enter} counted is a stranger's no more, or closed. */
  synchronized void leave(String peer) {
    byPeer.computeIfPresent(peer, (p, now) -> now > 1 ? now - 1 : null);
  }
}
