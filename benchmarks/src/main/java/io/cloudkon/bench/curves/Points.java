package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Point;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds points of several sweeps. */
final class Points {
  private Points() {}

  /** The point of a variant; null if there is none. */
  static @Nullable Point of(Map<Variant, Sweep> sweeps, Variant variant, int workers) {
    Sweep sweep = sweeps.get(variant);
    return sweep == null ? null : sweep.points().get(workers);
  }

  /**
   * The point of the defaults today, or with the quota of writes raised if there is none; null if
   * neither exists.
   */
  static @Nullable Point today(Map<Variant, Sweep> sweeps, int workers) {
    Point today = of(sweeps, Variant.OURS_TODAY, workers);
    return today == null ? of(sweeps, Variant.OURS_RAISED, workers) : today;
  }

  /** The limits that the defaults met at that size. */
  static String limitsToday(Map<Variant, Sweep> sweeps, int workers) {
    Point today = of(sweeps, Variant.OURS_TODAY, workers);
    if (today != null) {
      return Cells.limits(today);
    }
    Point raised = of(sweeps, Variant.OURS_RAISED, workers);
    return raised == null || raised.limits().isEmpty()
        ? "none, quota of writes raised"
        : Cells.limits(raised) + "; quota of writes raised";
  }
}
