package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Classifies failures before a command's start, for their messages. */
final class LaunchFailures {
  private LaunchFailures() {}

  /** Whether the file system failed, and not the start of a process. */
  static boolean isOfFiles(IOException failure) {
    if (failure instanceof WorkingDirectories.NoGuardException) {
      return false;
    }
    String message = String.valueOf(failure.getMessage());
    // the messages of ProcessBuilder and Guard begin like this
    return failure instanceof FileSystemException
        || !(message.startsWith("Cannot run program") || message.startsWith("the guard"));
  }
}
