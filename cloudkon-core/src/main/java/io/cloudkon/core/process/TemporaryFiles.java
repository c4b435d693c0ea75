package io.cloudkon.core.process;

import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The temporary files and folders of this process that remain until it ends. They are removed when
 * the JVM ends by itself, and by {@link #halt}, but not if the process is killed. Thread safe.
 */
public final class TemporaryFiles {
  private static final Deque<Path> FILES = new ConcurrentLinkedDeque<>();

  private TemporaryFiles() {}

  /** Removes a file, or a folder that is then empty, when this process ends: the last one first. */
  public static void removeAtEnd(Path file) {
    file.toFile().deleteOnExit();
    FILES.addFirst(file);
  }

  /** Ends this process at once, like {@link Runtime#halt}, which would leave the files. */
  public static void halt(int exitCode) {
    remove();
    Runtime.getRuntime().halt(exitCode);
  }

  /** Removes what is there of them. */
  static void remove() {
    for (Path file = FILES.poll(); file != null; file = FILES.poll()) {
      boolean unused = file.toFile().delete();
    }
  }
}
