package io.cloudkon.examples.heat;

import java.nio.file.Path;
import java.util.List;

/**
 * The parameters of a heat job.
 *
 * @param steps at most; 1 or more
 * @param tolerance it is enough once no cell changes by more than that; 0 or more
 * @param picture the PNG to write, where rank 0 runs
 */
record HeatJob(Plate plate, int steps, double tolerance, Path picture) {
  private static final String ARGUMENTS = "WIDTH HEIGHT STEPS TOLERANCE PICTURE";

  HeatJob {
    if (steps < 1) {
      throw new IllegalArgumentException("steps must be 1 or more, not " + steps);
    }
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("the tolerance must be 0 or more, not " + tolerance);
    }
  }

  /**
   * From a job's arguments.
   *
   * @throws IllegalArgumentException saying which arguments were expected
   */
  static HeatJob of(List<String> args) {
    if (args.size() != 5) {
      throw new IllegalArgumentException(
          "expected 5 arguments, %s; there are %d".formatted(ARGUMENTS, args.size()));
    }
    try {
      return new HeatJob(
          new Plate(Integer.parseInt(args.get(0)), Integer.parseInt(args.get(1))),
          Integer.parseInt(args.get(2)),
          Double.parseDouble(args.get(3)),
          Path.of(args.get(4)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "expected numbers for %s: %s".formatted(ARGUMENTS, e.getMessage()), e);
    }
  }
}
