package io.cloudkon.client.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Buffered standard output for data that other programs read; it reports failed writes. Stateless.
 */
final class StandardOutput {
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
      if (reason.contains("Broken pipe")) {
        return ExitCodes.SOME_FAILED;
      }
      throw new CloudKonException("standard output cannot be written: " + reason, e);
    }
  }
}
