package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Tells failures before a command's start apart, for the words in which they are told. */
final class LaunchFailures {
  private LaunchFailures() {}

  /** Whether the file system failed, and not the start of a process. */
  static boolean isOfFiles(IOException failure) {
    if (failure instanceof WorkingDirectories.NoGuardException) {
      return false;
    }
    String message = String.valueOf(failure.getMessage());
    // as ProcessBuilder and Guard begin
    return failure instanceof FileSystemException
        || !(message.startsWith("Cannot run program") || message.startsWith("the guard"));
  }
}
