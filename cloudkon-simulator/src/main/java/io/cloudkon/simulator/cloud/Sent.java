package io.cloudkon.simulator.cloud;

import java.util.BitSet;

/**
 * The answer to a batch call.
 *
 * @param missing whether the queue does not exist
 * @param refused the indexes of entries that were refused transiently
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
