package io.cloudkon.bench.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a system of ours is ahead of the rivals at each length of task, and of whom it is not.
 */
final class Standings {
  private static final List<Competitor> AHEAD_OF =
      List.of(Competitor.RAY, Competitor.DASK, Competitor.HYPERQUEUE);

  private Standings() {}

  /**
   * One line for each of our systems, length of task and clock. A rival whose tasks are functions
   * is compared with our {@code sleep}, one whose tasks are commands with our {@code exec}.
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
