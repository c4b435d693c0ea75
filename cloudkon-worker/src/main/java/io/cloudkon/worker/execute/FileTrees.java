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
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies and removal of whole trees. */
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

  /**
   * Takes the right to write to its files from everybody, so that what is copied for many is not
   * written to by mistake; folders and links stay as they are. A file that its owner could write to
   * is marked by its group's right to read, by which {@link #copy} knows it. What the group's
   * rights mean stays a matter of the folder around it, which should be private. Does nothing where
   * files have no such rights; root may write all the same.
   *
   * @param root files of which at most their owner has rights
   */
  public static void protect(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        PosixFileAttributeView view = posixOfFile(path);
        if (view != null) {
          Set<PosixFilePermission> mode = view.readAttributes().permissions();
          if (mode.remove(PosixFilePermission.OWNER_WRITE)) {
            mode.add(PosixFilePermission.GROUP_READ);
            view.setPermissions(mode);
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Null for anything but a file, and where files have no such rights. */
  private static @Nullable PosixFileAttributeView posixOfFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        ? Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  /** Gives the copy of a protected file the rights of its original's original. */
  private static void unprotect(Path copy) throws IOException {
    PosixFileAttributeView view = posixOfFile(copy);
    if (view != null) {
      Set<PosixFilePermission> mode = view.readAttributes().permissions();
      if (!mode.contains(PosixFilePermission.OWNER_WRITE)
          && mode.remove(PosixFilePermission.GROUP_READ)) {
        mode.add(PosixFilePermission.OWNER_WRITE);
        view.setPermissions(mode);
      }
    }
  }

  /**
   * Copies a file, or a folder with everything in it, with links as they are, and modes as they
   * were before {@link #protect}. On Linux the kernel copies, and where the file system can, the
   * copy shares the blocks of its original until one of them is written to.
   *
   * @param target does not exist, but its parent does
   */
  static void copy(Path root, Path target, Interruption interruption)
      throws IOException, TaskInterruptedException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        interruption.check();
        // of a folder this makes an empty one; it comes before what is in it
        Path copy = target.resolve(root.relativize(path));
        Files.copy(path, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
        unprotect(copy);
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
