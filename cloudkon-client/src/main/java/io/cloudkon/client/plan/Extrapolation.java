package io.cloudkon.client.plan;

import io.cloudkon.client.plan.Observation.Volume;
import java.util.Map;
import java.util.TreeMap;

/**
 * Extrapolates linearly from two simulations of different sizes: the beginning and the end of a run
 * take the same time at any size, and the part between them grows with the size. Stateless.
 */
final class Extrapolation {
  private Extrapolation() {}

  /**
   * The expected observation of a larger simulation.
   *
   * @param size the size of the larger one, relative to {@code whole}
   * @param part the size of {@code less} relative to {@code whole}, between 0 and 1
   */
  static Observation to(double size, double part, Observation whole, Observation less) {
    Map<String, Volume> calls = new TreeMap<>();
    whole
        .calls()
        .forEach((operation, volume) -> {
          Volume before = less.calls().getOrDefault(operation, new Volume(0, 0));
          calls.put(
              operation,
              new Volume(
                  line(size, part, volume.count(), before.count()),
                  line(size, part, volume.units(), before.units())));
        });
    return new Observation(
        line(size, part, whole.makespanSeconds(), less.makespanSeconds()),
        calls,
        line(size, part, whole.sends(), less.sends()),
        line(size, part, whole.sendSeconds(), less.sendSeconds()),
        line(size, part, whole.collectSeconds(), less.collectSeconds()),
        whole.throttled(),
        whole.refusedReceives());
  }

  /**
   * Extrapolates one value, to at least {@code whole} and at most {@code size} times that. Chance
   * must not make a larger run cheaper, nor give its beginning and end a negative duration.
   */
  static double line(double size, double part, double whole, double less) {
    double more = (whole - less) / (1 - part) * (size - 1);
    return Math.clamp(whole + more, whole, size * whole);
  }
}
