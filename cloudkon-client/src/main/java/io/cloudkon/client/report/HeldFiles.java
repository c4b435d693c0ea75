package io.cloudkon.client.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The files that this process writes to alone. A process loses its lock on a file as soon as it
 * closes any descriptor of that file (POSIX), so nothing in this process may open such a file once
 * more, not even to look into it. Thread safe.
 */
final class HeldFiles {
  /** Held while another file is looked into: the end of the look would release a new lock. */
  private static final ReentrantLock GUARD = new ReentrantLock();

  private static final Map<Object, AppendFile> HELD = new HashMap<>();

  private HeldFiles() {}

  /**
   * Looks into a file.
   *
   * @param held looks into one that this process holds, without opening it once more
   * @param other looks into any other one
   */
  static <T> T look(Path path, Function<AppendFile, T> held, Supplier<T> other) {
    AppendFile file;
    GUARD.lock();
    try {
      file = HELD.get(key(path));
      if (file == null) {
        return other.get();
      }
    } finally {
      GUARD.unlock();
    }
    return held.apply(file);
  }

  /**
   * Opens a file and holds it until it is closed.
   *
   * @throws io.cloudkon.core.error.CloudKonException if this process or another one holds it
   *     already, or it cannot be opened
   */
  static AppendFile hold(Path path, Supplier<AppendFile> open) {
    GUARD.lock();
    try {
      if (HELD.containsKey(key(path))) {
        throw AppendFile.isHeld(path);
      }
      AppendFile file = open.get().alone();
      HELD.put(key(path), file);
      return file;
    } finally {
      GUARD.unlock();
    }
  }

  /** Records that a file is closed; without effect if it was not held. */
  static void closed(AppendFile file) {
    GUARD.lock();
    try {
      HELD.values().remove(file);
    } finally {
      GUARD.unlock();
    }
  }

  /** The identity of a file under each of its names; its path if it does not exist. */
  private static Object key(Path path) {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path.toRealPath() : key;
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }
}
