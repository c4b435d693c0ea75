package io.cloudkon.worker.execute;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies, sizes and removal of whole trees. */
public final class FileTrees {
  private static final Logger LOG = LoggerFactory.getLogger(FileTrees.class);

  private FileTrees() {}

  /**
   * Removes a tree; a symbolic link is removed and never followed. What cannot be removed is logged
   * and stays.
   */
  public static void remove(Path root) {
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

  /** How many bytes its files have in all. */
  public static long bytes(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      long bytes = 0;
      for (Path path : (Iterable<Path>) all::iterator) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          bytes += Files.size(path);
        }
      }
      return bytes;
    }
  }

  /**
   * Copies a file, or a folder with everything in it, with modes and links as they are. On Linux
   * the kernel copies, and where the file system can, the copy shares the blocks of its original
   * until one of them is written to.
   *
   * @param target does not exist, but its parent does
   */
  static void copy(Path root, Path target, Interruption interruption)
      throws IOException, TaskInterruptedException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        interruption.check();
        // of a folder this makes an empty one; it comes before what is in it
        Files.copy(
            path,
            target.resolve(root.relativize(path)),
            LinkOption.NOFOLLOW_LINKS,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
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
