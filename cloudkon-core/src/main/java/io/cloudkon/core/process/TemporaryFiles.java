package io.cloudkon.core.process;

import java.nio.file.Path;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The temporary files and folders of this process that remain until it ends. They are removed when
 * the JVM ends by itself, except those of {@link #removeAtHalt}, and by {@link #halt}, but not if
 * the process is killed. Thread safe.
 */
public final class TemporaryFiles {
  private static final Deque<Path> FILES = new ConcurrentLinkedDeque<>();

  private static final Set<Path> BRIEF = ConcurrentHashMap.newKeySet();

  private TemporaryFiles() {}

  /** Removes a file, or a folder that is then empty, when this process ends: the last one first. */
  public static void removeAtEnd(Path file) {
    file.toFile().deleteOnExit();
    FILES.addFirst(file);
  }

  /**
   * Lets {@link #halt} remove a file, until {@link #forget}. For files of which a process creates
   * very many and removes each itself: the JVM remembers for ever those of {@link #removeAtEnd}.
   */
  public static void removeAtHalt(Path file) {
    BRIEF.add(file);
  }

  /** Forgets a file of {@link #removeAtHalt}, which its owner has removed. */
  public static void forget(Path file) {
    BRIEF.remove(file);
  }

  /** Ends this process at once, like {@link Runtime#halt}, which would leave the files. */
  public static void halt(int exitCode) {
    remove();
    Runtime.getRuntime().halt(exitCode);
  }

  /** Removes what is there of them. */
  static void remove() {
    BRIEF.forEach(file -> {
      boolean unused = file.toFile().delete();
    });
    for (Path file = FILES.poll(); file != null; file = FILES.poll()) {
      boolean unused = file.toFile().delete();
    }
  }
}
