package io.cloudkon.core.model;

import java.util.Arrays;

/** What is kept of what tasks and ranks write. */
public final class Outputs {
  private Outputs() {}

  /** The first bytes; the array itself, not a copy, if there are no more than that. */
  public static byte[] head(byte[] bytes, int limit) {
    return bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit);
  }
}
