package io.cloudkon.hpc.rank;

import java.util.Arrays;
import java.util.Optional;

/**
 * Distinguishes messages that ranks send explicitly from those that collective calls send for them.
 */
enum Channel {
  DIRECT(0),
  COLLECTIVE(1);

  private final byte code;

  Channel(int code) {
    this.code = (byte) code;
  }

  /** The code of this channel in a frame. */
  byte code() {
    return code;
  }

  static Optional<Channel> of(byte code) {
    return Arrays.stream(values()).filter(channel -> channel.code == code).findFirst();
  }
}
