package io.cloudkon.client.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Buffered standard output for data that other programs read; it reports failed writes. Stateless.
 */
final class StandardOutput {
  private static final int FILE_TYPE = 0170000;
  private static final int FIFO = 0010000;

  private StandardOutput() {}

  /** Writes to standard output. */
  @FunctionalInterface
  interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /**
   * Writes and returns the exit code, which is 1 if the reader has closed the pipe, as {@code head}
   * does.
   *
   * @throws CloudKonException if writing fails for another reason
   */
  @SuppressWarnings("resource") // the descriptor is the process's
  static int write(Writing writing) {
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    try {
      writing.to(out);
      out.flush();
      return ExitCodes.SUCCESS;
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      if (isClosedPipe(reason)) {
        return ExitCodes.SOME_FAILED;
      }
      throw new CloudKonException("standard output cannot be written: " + reason, e);
    }
  }

  /**
   * Whether the reader of a pipe has left. The reason is in the system's language; a write to a
   * pipe fails for no other one.
   */
  private static boolean isClosedPipe(String reason) {
    return isBrokenPipe(reason) || isPipe(Path.of("/dev/fd/1"));
  }

  /** Whether a reason says so in a language that is known here. */
  static boolean isBrokenPipe(String reason) {
    return reason.toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** Whether a file is a pipe; false where that cannot be found out. */
  static boolean isPipe(Path file) {
    try {
      return Files.getAttribute(file, "unix:mode") instanceof Integer mode
          && (mode & FILE_TYPE) == FIFO;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
