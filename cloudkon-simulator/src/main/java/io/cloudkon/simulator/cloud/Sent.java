package io.cloudkon.simulator.cloud;

import java.util.BitSet;

/**
 * A batch's answer.
 *
 * @param missing whether there is no such queue
 * @param refused entries that were refused in passing, by index
 */
public record Sent(boolean missing, BitSet refused) {
  private static final BitSet NONE = new BitSet();

  static Sent all() {
    return new Sent(false, NONE);
  }

  static Sent nowhere() {
    return new Sent(true, NONE);
  }
}
