package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process when its standard input does, as by SIGTERM: it drains. Whoever started it
 * holds the other end of that pipe, and cannot take it along however it dies.
 */
final class EndOfInput {
  /** Set to {@code true} by whoever holds the other end. */
  static final String VARIABLE = "CLOUDKON_DRAIN_ON_EOF";

  private EndOfInput() {}

  /** Begins to watch, in a thread of its own, if the environment asks for it. */
  static void watch() {
    if (Boolean.parseBoolean(System.getenv(VARIABLE))) {
      Thread unused =
          Thread.ofPlatform()
              .daemon()
              .name("cloudkon-input")
              .start(() -> {
                awaitEnd(System.in);
                System.exit(ExitCodes.SUCCESS);
              });
    }
  }

  /** What it says is ignored. */
  static void awaitEnd(InputStream input) {
    byte[] ignored = new byte[64];
    try {
      while (input.read(ignored) >= 0) {
        // on to its end
      }
    } catch (IOException e) {
      // nobody is there any more
    }
  }
}
