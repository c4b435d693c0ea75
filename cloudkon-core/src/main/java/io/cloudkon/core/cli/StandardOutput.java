package io.cloudkon.core.cli;

import io.cloudkon.core.error.LocalFileException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Locale;
import java.util.Optional;

/**
 * Buffered standard output for data that other programs read; it reports failed writes. Stateless.
 */
public final class StandardOutput {
  private StandardOutput() {}

  /** Writes to standard output. */
  @FunctionalInterface
  public interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /**
   * Writes and returns the exit code, which is 1 if the reader has closed the pipe, as {@code head}
   * does.
   *
   * @throws LocalFileException if writing fails for another reason
   */
  @SuppressWarnings("resource") // the descriptor is the process's
  public static int write(Writing writing) {
    return write(new FileOutputStream(FileDescriptor.out), writing);
  }

  /** Likewise to the given stream. */
  static int write(OutputStream to, Writing writing) {
    OutputStream out = new BufferedOutputStream(to, 1 << 16);
    try {
      writing.to(out);
      out.flush();
      return ExitCodes.SUCCESS;
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      if (isClosedPipe(reason)) {
        return ExitCodes.SOME_FAILED;
      }
      throw new LocalFileException("standard output cannot be written: " + reason, e);
    }
  }

  /**
   * Checks what was printed on {@link System#out}, which is silent about failed writes.
   *
   * @param code the exit code of the command
   * @return the code, or 1 instead of 0 if the reader has closed the pipe
   * @throws LocalFileException if the command succeeded, but writing failed for another reason
   */
  @SuppressWarnings("resource") // the descriptor is the process's
  static int check(int code) {
    return check(code, System.out, new FileOutputStream(FileDescriptor.out));
  }

  /**
   * Likewise for the given stream.
   *
   * @param to the stream behind it
   */
  static int check(int code, PrintStream printed, OutputStream to) {
    if (code != ExitCodes.SUCCESS || !printed.checkError()) {
      return code;
    }
    // The stream does not keep the reason, for which one more byte most likely fails, too.
    if (write(to, out -> out.write('\n')) == ExitCodes.SUCCESS) {
      throw new LocalFileException("standard output cannot be written: a part of it is missing");
    }
    return ExitCodes.SOME_FAILED;
  }

  /** Whether a reason says, in English or in the system's language, that a reader has left. */
  private static boolean isClosedPipe(String reason) {
    return reason.toLowerCase(Locale.ROOT).contains("broken pipe")
        || wordsOfClosedPipe().filter(reason::equals).isPresent();
  }

  /** The system's words for it, from a pipe that is closed here; empty if there can be no pipe. */
  static Optional<String> wordsOfClosedPipe() {
    try {
      Pipe pipe = Pipe.open();
      try (Pipe.SinkChannel sink = pipe.sink()) {
        pipe.source().close();
        return words(sink);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> words(Pipe.SinkChannel closed) {
    try {
      int unused = closed.write(ByteBuffer.allocate(1));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }
}
