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
 */
public record Surroundings(
    String run, int captureBytes, List<Path> ships, UnaryOperator<HandlerRegistry> handlers) {
  public Surroundings {
    ships = List.copyOf(ships);
  }

  /** Nothing but what the worker has. */
  public static Surroundings bare(String run, int captureBytes) {
    return new Surroundings(run, captureBytes, List.of(), UnaryOperator.identity());
  }
}
