package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Point;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers for tables. */
final class Cells {
  /** The cell without a number. */
  static final String NONE = "";

  private Cells() {}

  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String tenth(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  static String hundredth(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }

  /** The number of tasks for each worker; empty if there is no point. */
  static String tasks(@Nullable Point point) {
    return point == null ? NONE : whole((double) point.tasks() / point.workers());
  }

  static String throughput(@Nullable Point point) {
    return point == null ? NONE : whole(point.tasksPerSecond());
  }

  static String efficiency(@Nullable Point point) {
    return point == null ? NONE : tenth(100 * point.efficiency());
  }

  static String limits(@Nullable Point point) {
    return point == null
        ? NONE
        : point.limits().isEmpty() ? "none" : String.join("; ", point.limits());
  }
}
