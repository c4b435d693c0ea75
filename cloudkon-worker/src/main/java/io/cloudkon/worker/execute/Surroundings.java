package io.cloudkon.worker.execute;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a task finds around it, besides what every task of the worker does. Immutable.
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
public record Surroundings(
    String run,
    int captureBytes,
    List<Path> ships,
    UnaryOperator<HandlerRegistry> handlers,
    OwnFiles own,
    Runnable staged) {
  public Surroundings {
    ships = List.copyOf(ships);
  }

  /** Of a task without files of its own. */
  public Surroundings(
      String run, int captureBytes, List<Path> ships, UnaryOperator<HandlerRegistry> handlers) {
    this(run, captureBytes, ships, handlers, OwnFiles.NONE, () -> {});
  }

  /** The same with files of the task's own. */
  public Surroundings with(OwnFiles files) {
    return files.equals(own)
        ? this
        : new Surroundings(run, captureBytes, ships, handlers, files, staged);
  }

  /** The same, and this is told. */
  public Surroundings telling(Runnable whenStaged) {
    return new Surroundings(run, captureBytes, ships, handlers, own, whenStaged);
  }

  /** Nothing but what the worker has. */
  public static Surroundings bare(String run, int captureBytes) {
    return new Surroundings(run, captureBytes, List.of(), UnaryOperator.identity());
  }
}
