package io.cloudkon.bench.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares CloudKon with the rivals at each task duration: whether it is ahead, and of which rivals
 * it is not.
 */
final class Standings {
  private static final List<Competitor> AHEAD_OF =
      List.of(Competitor.RAY, Competitor.DASK, Competitor.HYPERQUEUE);

  private Standings() {}

  /**
   * Returns one line for each system of CloudKon, task duration and clock. A rival whose tasks are
   * functions is compared with CloudKon's {@code sleep}, one whose tasks are commands with its
   * {@code exec}.
   */
  static List<String> lines(Sitting.Outcome outcome) {
    List<String> lines = new ArrayList<>();
    for (Competitor ours : List.of(Competitor.LOCAL, Competitor.CLUSTER)) {
      for (Exercise.Kind kind : List.of(Exercise.Kind.SLEEP, Exercise.Kind.COMMAND)) {
        for (Exercise exercise : outcome.exercises()) {
          if (exercise.kind() == kind) {
            for (Clocked clock : Clocked.values()) {
              line(outcome.figures(), ours, exercise, clock).ifPresent(lines::add);
            }
          }
        }
      }
    }
    return lines;
  }

  private static Optional<String> line(
      Figures figures, Competitor ours, Exercise exercise, Clocked clock) {
    OptionalDouble mine = figures.efficiency(ours, exercise, clock);
    List<String> ahead = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    for (Competitor rival : AHEAD_OF) {
      OptionalDouble theirs = figures.efficiency(rival, exercise, clock);
      if (mine.isPresent() && theirs.isPresent()) {
        (mine.getAsDouble() > theirs.getAsDouble() ? ahead : behind).add(rival.title());
      }
    }
    if (ahead.isEmpty() && behind.isEmpty()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    if (!ahead.isEmpty()) {
      parts.add("ahead of " + String.join(", ", ahead));
    }
    if (!behind.isEmpty()) {
      parts.add("BEHIND " + String.join(", ", behind));
    }
    return Optional.of(
        "%s, %s, %s: %s"
            .formatted(ours.title(), exercise.name(), clock.title(), String.join("; ", parts)));
  }
}
