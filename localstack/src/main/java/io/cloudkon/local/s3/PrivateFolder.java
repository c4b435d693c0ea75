package io.cloudkon.local.s3;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes a folder to which only this user can write. */
public final class PrivateFolder {
  /** Allows for files that are still created during the deletion. */
  private static final int ATTEMPTS = 50;

  private PrivateFolder() {}

  /**
   * Deletes {@code folder} and its content, as far as the system permits. Follows no links. Does
   * nothing if the folder does not exist.
   */
  public static void delete(Path folder) {
    for (int i = 0; i < ATTEMPTS && Files.exists(folder, LinkOption.NOFOLLOW_LINKS); i++) {
      try {
        Files.walkFileTree(folder, new Deleting());
      } catch (IOException e) {
        // tries again: another process may be deleting the folder too, or still be writing
      }
    }
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
