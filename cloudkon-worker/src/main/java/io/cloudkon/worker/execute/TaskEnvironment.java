package io.cloudkon.worker.execute;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The environment of one task, apart from what all tasks of the worker share. Immutable.
 *
 * @param run the run's id, for {@code CLOUDKON_RUN}
 * @param captureBytes how much of each output the run wants, in bytes; the worker's own limit holds
 *     as well
 * @param ships files and folders of which a command finds copies where it starts
 * @param handlers what a {@code java} task may call, from what the worker has: throws {@link
 *     io.cloudkon.core.error.UsageException} where that cannot be said
 * @param own what only this task finds, and brings back
 * @param staged told, on the command's thread, when all that it finds is ready
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

  /** Of a task without files of its own. */
  public TaskEnvironment(
      String run, int captureBytes, List<Path> ships, UnaryOperator<HandlerRegistry> handlers) {
    this(run, captureBytes, ships, handlers, OwnFiles.NONE, () -> {});
  }

  /** The same with files of the task's own. */
  public TaskEnvironment with(OwnFiles files) {
    return files.equals(own)
        ? this
        : new TaskEnvironment(run, captureBytes, ships, handlers, files, staged);
  }

  /** The same, and this is told. */
  public TaskEnvironment telling(Runnable whenStaged) {
    return new TaskEnvironment(run, captureBytes, ships, handlers, own, whenStaged);
  }

  /** Nothing but what the worker has. */
  public static TaskEnvironment bare(String run, int captureBytes) {
    return new TaskEnvironment(run, captureBytes, List.of(), UnaryOperator.identity());
  }
}
