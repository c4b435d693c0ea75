package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import java.io.IOException;
import java.io.InputStream;

/**
 * Drains this process, as SIGTERM does, when its standard input ends. The process that started it
 * holds the other end of that pipe, so the worker also drains if that process dies in any way.
 */
final class EndOfInput {
  /** Set to {@code true} by the process that holds the other end. */
  static final String VARIABLE = "CLOUDKON_DRAIN_ON_EOF";

  private EndOfInput() {}

  /** Starts to watch, in a thread of its own, if the environment asks for it. */
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

  /** Reads to the end of the input and ignores its content. */
  static void awaitEnd(InputStream input) {
    byte[] ignored = new byte[64];
    try {
      while (input.read(ignored) >= 0) {
        // reads on to the end
      }
    } catch (IOException e) {
      // the other process is gone
    }
  }
}
