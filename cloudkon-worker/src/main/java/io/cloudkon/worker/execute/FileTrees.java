package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.spawn.PendingStarts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
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

/** Copies and removes whole file trees. */
public final class FileTrees {
  private static final Logger LOG = LoggerFactory.getLogger(FileTrees.class);

  private FileTrees() {}

  /**
   * Removes a tree; a symbolic link is removed and never followed. What is mounted in it is
   * detached first, and its files stay. A failure is logged, and the rest of the tree stays, with
   * every folder if something cannot be detached.
   */
  public static void remove(Path root) {
    try {
      // most tasks leave nothing: one call instead of a walk
      Files.deleteIfExists(root);
    } catch (IOException notEmpty) {
      try {
        // what is mounted on the root itself shows by another error
        removeAll(root, notEmpty instanceof DirectoryNotEmptyException);
      } catch (IOException e) {
        LOG.warn("cannot remove {}: {}", root, e.toString());
      }
    }
  }

  private static void removeAll(Path root, boolean mountless) throws IOException {
    if (!mountless) {
      boolean _ = LeftMounts.detach(root);
    }
    try {
      walk(root);
    } catch (IOException e) {
      if (!DeepRemoval.mayHelp(e)) {
        throw e;
      }
      DeepRemoval.remove(root);
    }
  }

  private static void walk(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new Remover(root));
    } catch (DetachedException e) {
      Files.walkFileTree(root, new Remover(root));
    } catch (IOException e) {
      // a file on which another one is mounted cannot be removed
      if (!LeftMounts.detach(root)) {
        throw e;
      }
      Files.walkFileTree(root, new Remover(root));
    }
  }

  /**
   * Makes the files of a tree read-only, so that files that are copied for many tasks are not
   * changed by mistake. Folders and links stay as they are. A file that its owner could write to
   * gets read permission for its group, a mark that {@link #copy} recognizes. The folder around the
   * tree should be private, so that this permission lets nobody in. Does nothing if the file system
   * has no such permissions; root can write all the same.
   *
   * @param root a tree whose files give permissions at most to their owner
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

  /** The permissions of a regular file; null for anything else, or if the file system has none. */
  private static @Nullable PosixFileAttributeView posixOfFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        ? Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  /** Gives the copy of a protected file the permissions from before {@link #protect}. */
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
   * Copies a file, or a folder with its content. Copies links as links, and restores the modes from
   * before {@link #protect}. On Linux the kernel copies; if the file system supports it, the copy
   * shares the blocks of its original until one of them is written to. Copied programs can be
   * executed at once.
   *
   * @param target a path that does not exist, but whose parent does
   */
  static void copy(Path root, Path target, Interruption interruption)
      throws IOException, TaskInterruptedException {
    boolean programs = false;
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        interruption.check();
        // a folder is copied empty, and comes before its content
        Path copy = target.resolve(root.relativize(path));
        Files.copy(path, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
        unprotect(copy);
        programs =
            programs
                || (Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)
                    && Files.isExecutable(copy));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (programs) {
      PendingStarts.OF_THIS_PROCESS.awaitThoseBegun();
    }
  }

  /** Something was detached; a walk that began before may still list its files. */
  private static final class DetachedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    private final Path root;
    private boolean looked;
    private @Nullable Object device;
    private @Nullable Path opened;

    Remover(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
        throws IOException {
      rejectMounts(dir);
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
      // a directory from which its task removed the permissions
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

    /** Looks for mounts with the first folder below the root: no file can be removed by one. */
    private void rejectMounts(Path dir) throws IOException {
      if (!LeftMounts.areListed()) {
        rejectOtherDevice(dir);
      } else if (!looked && !dir.equals(root)) {
        looked = true;
        if (LeftMounts.detach(root)) {
          throw new DetachedException();
        }
      }
    }

    /** Not Linux: only mounts of another device than that of the folder around the root show. */
    private void rejectOtherDevice(Path dir) throws IOException {
      Object expected = device;
      if (expected == null) {
        Path around = root.toAbsolutePath().getParent();
        expected = device(around == null ? root : around);
        device = expected;
      }
      if (!expected.equals(device(dir))) {
        throw new IOException("something is mounted on " + dir);
      }
    }

    private static Object device(Path dir) throws IOException {
      return Files.getAttribute(dir, "unix:dev");
    }

    private void open(Path dir) throws IOException {
      opened = dir;
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
