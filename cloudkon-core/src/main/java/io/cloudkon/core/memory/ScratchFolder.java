package io.cloudkon.core.memory;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Copies of files in a folder among the system's temporary ones that only this user can read. It is
 * there as long as anything is in it, and not beyond the end of the process. Thread safe.
 */
final class ScratchFolder {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Path> files = new HashSet<>();
  private @Nullable Path folder;
  private long made;
  private boolean endsWithProcess;

  /**
   * Copies a file into it.
   *
   * @throws CloudKonException if the file cannot be read, or there is no room for the copy
   */
  Path copy(Path source) {
    Path copy = newFile();
    boolean whole = false;
    try (InputStream in = Files.newInputStream(source)) {
      long unused = Files.copy(in, copy);
      whole = true;
      return copy;
    } catch (IOException e) {
      throw new CloudKonException("cannot read '%s' into '%s': %s".formatted(source, copy, e), e);
    } finally {
      if (!whole) {
        remove(copy);
      }
    }
  }

  private Path newFile() {
    lock.lock();
    try {
      Path in = folder == null ? newFolder() : folder;
      Path file = in.resolve(Long.toString(++made));
      files.add(file);
      return file;
    } finally {
      lock.unlock();
    }
  }

  private Path newFolder() {
    try {
      Path made = Files.createTempDirectory("cloudkon-blobs-");
      folder = made;
      if (!endsWithProcess) {
        endsWithProcess = true;
        // not deleteOnExit, which keeps the path of each file to the end
        Runtime.getRuntime().addShutdownHook(new Thread(this::removeAll, "cloudkon-blobs"));
      }
      return made;
    } catch (IOException e) {
      throw new CloudKonException(
          "no temporary folder can be made for large payloads: %s; set -Djava.io.tmpdir"
              .formatted(e),
          e);
    }
  }

  /** Removes a copy, and the folder with the last one. */
  void remove(Path copy) {
    lock.lock();
    try {
      if (files.remove(copy)) {
        delete(copy);
      }
      if (files.isEmpty() && folder != null) {
        delete(folder);
        folder = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private void removeAll() {
    lock.lock();
    try {
      List.copyOf(files).forEach(this::remove);
    } finally {
      lock.unlock();
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // the end of the process tries again
    }
  }
}
