package io.cloudkon.provisioner.launch;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Describes in plain words why a file or folder cannot be used. Stateless. */
final class FileTrouble {
  private FileTrouble() {}

  static String words(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied for " + denied.getFile();
      case NoSuchFileException missing -> "'" + missing.getFile() + "' does not exist";
      case FileAlreadyExistsException there -> "'" + there.getFile() + "' is not a folder";
      case FileSystemException other ->
          "%s (%s)"
              .formatted(Objects.requireNonNullElse(other.getReason(), "error"), other.getFile());
      default -> Objects.requireNonNullElse(e.getMessage(), "the file system refuses it");
    };
  }
}
