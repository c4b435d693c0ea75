package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.GuardedProcess;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A directory for one task. Used by one thread. */
final class DirectoryLease implements AutoCloseable {
  private final Path path;
  private final Path root;
  private final @Nullable Set<String> before;
  private final End end;
  private @Nullable GuardedProcess process;

  /** Disposes of a directory. */
  interface End {

    /**
     * Disposes of the directory, which is not needed any more.
     *
     * @param process the process that ran there and ended by itself; null if none ran, or it was
     *     killed
     */
    void of(@Nullable GuardedProcess process);
  }

  /**
   * A directory that is ready.
   *
   * @param path the folder in which the task starts
   * @param root the whole directory
   * @param before the names in it; null if the directory stays when the task has ended
   */
  DirectoryLease(Path path, Path root, @Nullable Set<String> before, End end) {
    this.path = path;
    this.root = root;
    this.before = before;
    this.end = end;
  }

  /** The whole directory, even if the task starts in a folder inside it. */
  Path root() {
    return root;
  }

  Path path() {
    return path;
  }

  /** The names in the whole directory before the task; null if the directory stays. */
  @Nullable Set<String> before() {
    return before;
  }

  /** Records a process that ran here and has ended by itself. */
  void endedAs(@Nullable GuardedProcess ended) {
    process = ended;
  }

  @Override
  public void close() {
    end.of(process);
  }
}
