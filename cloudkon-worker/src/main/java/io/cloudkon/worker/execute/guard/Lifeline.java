package io.cloudkon.worker.execute.guard;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds this process's descriptor of the pipe to another process's standard input, on Linux. */
final class Lifeline {
  private static final Path OWN = Path.of("/proc/self/fd");

  private Lifeline() {}

  /**
   * The number of the descriptor.
   *
   * @throws IOException if the system does not show it
   */
  static int to(long pid) throws IOException {
    Path pipe = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "fd", "0"));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(OWN)) {
      for (Path own : all) {
        if (isLinkTo(own, pipe)) {
          return Integer.parseInt(own.getFileName().toString());
        }
      }
    }
    throw new IOException("this system does not show the pipe to it (" + pipe + ")");
  }

  private static boolean isLinkTo(Path own, Path pipe) {
    try {
      return Files.readSymbolicLink(own).equals(pipe);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}
