package io.cloudkon.worker.execute;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The environment of one task, apart from what all tasks of the worker share. Immutable.
 *
 * @param run the run's id, for {@code CLOUDKON_RUN}
 * @param captureBytes the maximum number of bytes of each output that the run wants; the worker's
 *     own limit applies too
 * @param ships files and folders that are copied into a command's directory
 * @param handlers maps the worker's handlers to those that a {@code java} task may call; throws
 *     {@link io.cloudkon.core.error.UsageException} if they cannot be loaded
 * @param own the files that only this task gets and brings back
 * @param staged runs when everything that the task needs is ready; for a command, on the command's
 *     thread
 */
public record TaskEnvironment(
    String run,
    int captureBytes,
    List<Path> ships,
    UnaryOperator<HandlerRegistry> handlers,
    OwnFiles own,
    Runnable staged) {
  public TaskEnvironment {
    ships = List.copyOf(ships);
  }

  /** The environment of a task without files of its own. */
  public TaskEnvironment(
      String run, int captureBytes, List<Path> ships, UnaryOperator<HandlerRegistry> handlers) {
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
    return new TaskEnvironment(run, captureBytes, List.of(), UnaryOperator.identity());
  }
}
