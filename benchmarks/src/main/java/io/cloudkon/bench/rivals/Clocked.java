package io.cloudkon.bench.rivals;

import java.util.OptionalDouble;

/** The two ways in which a run is timed. */
enum Clocked {
  /** From the first submit to the last result, by the system's own clock. */
  OWN("own clock"),
  /** From the start of the command or script to its exit. */
  WHOLE("whole command");

  private final String title;

  Clocked(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  OptionalDouble seconds(Measurement measurement) {
    return switch (this) {
      case OWN -> {
        Double own = measurement.ownSeconds();
        yield own == null ? OptionalDouble.empty() : OptionalDouble.of(own);
      }
      case WHOLE -> OptionalDouble.of(measurement.wholeSeconds());
    };
  }
}
