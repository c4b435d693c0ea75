package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Checks the messages of this package when they are created, locally or from received bytes. */
final class Check {
  private static final int ID_CHARS = 1024;
  private static final int TEXT_CHARS = 64 * 1024;
  private static final int TOKEN_CHARS = 256;

  private Check() {}

  static void that(boolean holds, String expected) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected);
    }
  }

  static <T> T given(String what, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException("expected " + what + ", not null");
    }
    return value;
  }

  static void id(String what, @Nullable String id) {
    that(id != null && !id.isEmpty() && id.length() <= ID_CHARS, what + ": 1 to 1024 characters");
  }

  static void text(String what, @Nullable String text) {
    that(text != null && text.length() <= TEXT_CHARS, what + ": at most 65536 characters");
  }

  /**
   * Checks the id or the secret of a gang: printable ASCII, so that its bytes in a call are its
   * characters.
   */
  static void token(String what, @Nullable String token) {
    that(
        token != null
            && !token.isEmpty()
            && token.length() <= TOKEN_CHARS
            && token.chars().allMatch(c -> c > ' ' && c < 127),
        what + ": 1 to 256 visible ASCII characters");
  }

  static void attempt(int attempt) {
    that(attempt >= 0, "attempt: 0 or more");
  }

  static void lease(long millis) {
    that(millis >= 0, "lease: 0 ms or more");
  }

  static void rank(String what, int rank, int size) {
    that(rank >= 0 && rank < size, what + ": 0 to " + (size - 1));
  }

  static void size(int size) {
    that(size >= 1 && size <= Limits.RANKS, "ranks of a job: 1 to " + Limits.RANKS);
  }

  /** Checks ranks of a job of that size, none of which may occur twice. */
  static void ranks(int @Nullable [] ranks, int size) {
    BitSet seen = new BitSet();
    for (int rank : given("ranks", ranks)) {
      rank("rank", rank, size);
      that(!seen.get(rank), "each rank once");
      seen.set(rank);
    }
  }

  static void bytes(String what, byte @Nullable [] bytes) {
    given(what, bytes);
  }

  static void all(String what, @Nullable Object @Nullable [] entries) {
    @Nullable Object[] given = given(what, entries);
    that(given.length <= Limits.RANKS, what + ": at most " + Limits.RANKS);
    for (Object entry : given) {
      given(what, entry);
    }
  }
}
