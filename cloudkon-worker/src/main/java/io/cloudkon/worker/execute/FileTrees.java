package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removal of what a task left. */
final class FileTrees {
  private static final Logger LOG = LoggerFactory.getLogger(FileTrees.class);

  private FileTrees() {}

  /**
   * Removes a tree; a symbolic link is removed and never followed. What cannot be removed is logged
   * and stays.
   */
  static void remove(Path root) {
    try {
      // most tasks leave nothing: one call instead of a walk
      Files.deleteIfExists(root);
    } catch (IOException notEmpty) {
      try {
        Files.walkFileTree(root, new Remover());
      } catch (IOException e) {
        LOG.warn("cannot remove {}: {}", root, e.toString());
      }
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    private @Nullable Path opened;

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
        throws IOException {
      if (!Files.isWritable(dir)) {
        open(dir);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
      if (why instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      if (file.equals(opened)) {
        throw why;
      }
      // a directory that its own task closed to everybody
      open(file);
      Files.walkFileTree(file, this);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException why)
        throws IOException {
      Files.deleteIfExists(dir);
      return FileVisitResult.CONTINUE;
    }

    private void open(Path dir) throws IOException {
      opened = dir;
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
