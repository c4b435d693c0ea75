package io.cloudkon.hpc.rank;

import java.util.Arrays;
import java.util.Optional;

/** Parts what ranks send each other themselves from what collective calls send for them. */
enum Channel {
  DIRECT(0),
  COLLECTIVE(1);

  private final byte code;

  Channel(int code) {
    this.code = (byte) code;
  }

  /** How a frame names it. */
  byte code() {
    return code;
  }

  static Optional<Channel> of(byte code) {
    return Arrays.stream(values()).filter(channel -> channel.code == code).findFirst();
  }
}
