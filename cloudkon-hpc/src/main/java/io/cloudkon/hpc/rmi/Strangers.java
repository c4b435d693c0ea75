package io.cloudkon.hpc.rmi;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts, by peer, the connections over which no call was admitted yet, so that a peer without a
 * secret can hold only a few. Thread safe.
 */
final class Strangers {
  private final Map<String, Integer> byPeer = new HashMap<>();
  private final int most;

  /**
   * A counter without connections.
   *
   * @param most the maximum number of such connections per peer
   */
  Strangers(int most) {
    this.most = most;
  }

  /**
   * Counts another connection of that peer, unless it has the maximum number.
   *
   * @return false if it has the maximum number
   */
  synchronized boolean enter(String peer) {
    int now = byPeer.getOrDefault(peer, 0);
    if (now >= most) {
      return false;
    }
    byPeer.put(peer, now + 1);
    return true;
  }

  /**
   * Removes a connection that {@link #enter} counted, because a call was admitted or it was closed.
   */
  synchronized void leave(String peer) {
    byPeer.computeIfPresent(peer, (p, now) -> now > 1 ? now - 1 : null);
  }
}
