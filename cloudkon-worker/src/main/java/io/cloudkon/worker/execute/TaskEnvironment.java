package io.cloudkon.worker.execute;

import java.nio.file.Path;
import java.util.List;

/**
 * The environment of one task, apart from what all tasks of the worker share. Immutable.
 *
 * @param run the run's id, for {@code CLOUDKON_RUN}
 * @param captureBytes the maximum number of bytes of each output that the run wants; the worker's
 *     own limit applies too
 * @param ships files and folders that are copied into a command's directory
 * @param handlers the handlers that a {@code java} task may call
 * @param own the files that only this task gets and brings back
 * @param staged runs when everything that the task needs is ready; for a command, on the command's
 *     thread
 */
public record TaskEnvironment(
    String run,
    int captureBytes,
    List<Path> ships,
    HandlerSource handlers,
    OwnFiles own,
    Runnable staged) {
  public TaskEnvironment {
    ships = List.copyOf(ships);
  }

  /** The environment of a task without files of its own. */
  public TaskEnvironment(String run, int captureBytes, List<Path> ships, HandlerSource handlers) {
    this(run, captureBytes, ships, handlers, OwnFiles.NONE, () -> {});
  }

  /** The same environment with files of the task's own. */
  public TaskEnvironment with(OwnFiles files) {
    return files.equals(own)
        ? this
        : new TaskEnvironment(run, captureBytes, ships, handlers, files, staged);
  }

  /** The same environment with this callback. */
  public TaskEnvironment telling(Runnable whenStaged) {
    return new TaskEnvironment(run, captureBytes, ships, handlers, own, whenStaged);
  }

  /** The environment of a task that needs only what the worker has. */
  public static TaskEnvironment bare(String run, int captureBytes) {
    return new TaskEnvironment(run, captureBytes, List.of(), HandlerSource.OWN);
  }
}
