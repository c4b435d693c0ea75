package io.cloudkon.core.memory;

import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.process.TemporaryFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Copies of files in a folder among the system's temporary ones that only this user can read. It is
 * there as long as anything is in it, and not beyond the end of the process. Names are used again,
 * because the JVM remembers every path that it is to delete at its end: a path may hold another
 * copy than the one for which it was given. Thread safe.
 */
final class ScratchFolder {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Path> files = new HashSet<>();
  private final Deque<Path> free = new ArrayDeque<>();
  private @Nullable Path folder;
  private boolean exists;
  private long made;

  /**
   * Copies a file into it.
   *
   * @throws LocalFileException if the file cannot be read, or there is no room for the copy
   */
  Path copy(Path source) {
    return fill("read '%s' into".formatted(source), () -> Files.newInputStream(source));
  }

  /**
   * Writes content into it.
   *
   * @throws LocalFileException if there is no room for it
   */
  Path write(byte[] content) {
    return fill("write", () -> new ByteArrayInputStream(content));
  }

  @FunctionalInterface
  private interface Source {
    InputStream open() throws IOException;
  }

  private Path fill(String failure, Source source) {
    Path copy = newFile();
    boolean whole = false;
    try (InputStream in = source.open()) {
      long unused = Files.copy(in, copy);
      whole = true;
      return copy;
    } catch (IOException e) {
      throw new LocalFileException("cannot %s '%s': %s".formatted(failure, copy, e), e);
    } finally {
      if (!whole) {
        remove(copy);
      }
    }
  }

  private Path newFile() {
    lock.lock();
    try {
      Path in = existing();
      Path file = free.poll();
      if (file == null) {
        file = in.resolve(Long.toString(++made));
        TemporaryFiles.removeAtEnd(file);
      }
      files.add(file);
      return file;
    } finally {
      lock.unlock();
    }
  }

  private Path existing() {
    Path known = folder;
    if (known != null && (exists || isMadeAgain(known))) {
      return known;
    }
    try {
      Path made = Files.createTempDirectory("cloudkon-blobs-");
      TemporaryFiles.removeAtEnd(made); // after what is in it, being registered before
      free.clear();
      folder = made;
      exists = true;
      return made;
    } catch (IOException e) {
      throw new LocalFileException(
          "no temporary folder can be made for large payloads: %s; set -Djava.io.tmpdir"
              .formatted(e),
          e);
    }
  }

  /** False if somebody else has taken its name, or the system has no such permissions. */
  private boolean isMadeAgain(Path known) {
    try {
      var unused =
          Files.createDirectory(
              known,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      exists = true;
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Removes a copy, and the folder with the last one. */
  void remove(Path copy) {
    lock.lock();
    try {
      if (files.remove(copy) && delete(copy) && Objects.equals(copy.getParent(), folder)) {
        free.add(copy);
      }
      if (files.isEmpty() && exists && folder != null) {
        exists = !delete(folder);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean delete(Path path) {
    try {
      Files.deleteIfExists(path);
      return true;
    } catch (IOException e) {
      return false; // the end of the process tries again
    }
  }
}
