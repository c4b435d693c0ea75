package io.cloudkon.bench.rivals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** All measurements, in chronological order. Not thread safe. */
final class Figures {
  private final Map<Competitor, Map<Exercise, List<Measurement>>> all =
      new EnumMap<>(Competitor.class);

  void add(Competitor competitor, Exercise exercise, Measurement measurement) {
    all.computeIfAbsent(competitor, c -> new LinkedHashMap<>())
        .computeIfAbsent(exercise, e -> new ArrayList<>())
        .add(measurement);
  }

  boolean has(Competitor competitor) {
    return all.containsKey(competitor);
  }

  List<Measurement> of(Competitor competitor, Exercise exercise) {
    return List.copyOf(all.getOrDefault(competitor, Map.of()).getOrDefault(exercise, List.of()));
  }

  /** The version that the system reported; empty if none. */
  String version(Competitor competitor) {
    for (List<Measurement> some : all.getOrDefault(competitor, Map.of()).values()) {
      for (Measurement measurement : some) {
        if (measurement.version() != null) {
          return measurement.version();
        }
      }
    }
    return "";
  }

  /** The median by one of the clocks, in seconds; empty if not measured. */
  OptionalDouble median(Competitor competitor, Exercise exercise, Clocked clock) {
    return median(
        of(competitor, exercise).stream()
            .map(clock::seconds)
            .flatMapToDouble(OptionalDouble::stream)
            .toArray());
  }

  /** The efficiency computed from the median; empty if not measured. */
  OptionalDouble efficiency(Competitor competitor, Exercise exercise, Clocked clock) {
    OptionalDouble seconds = median(competitor, exercise, clock);
    return seconds.isEmpty()
        ? seconds
        : OptionalDouble.of(exercise.efficiency(competitor.tasks(exercise), seconds.getAsDouble()));
  }

  /** The tasks per second computed from the median; empty if not measured. */
  OptionalDouble rate(Competitor competitor, Exercise exercise, Clocked clock) {
    OptionalDouble seconds = median(competitor, exercise, clock);
    return seconds.isEmpty()
        ? seconds
        : OptionalDouble.of(competitor.tasks(exercise) / seconds.getAsDouble());
  }

  private static OptionalDouble median(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return OptionalDouble.of(
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
  }
}
