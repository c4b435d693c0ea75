package io.cloudkon.client.plan;

import io.cloudkon.client.plan.Observation.Volume;
import java.util.Map;
import java.util.TreeMap;

/**
 * Carries on what two simulations of different size showed, on a straight line: begin and end of a
 * run take as long whatever its size, and what is between grows with it. Stateless.
 */
final class Extrapolation {
  private Extrapolation() {}

  /**
   * What a larger one would show.
   *
   * @param size how large it is; {@code whole} is 1
   * @param part how large {@code less} is, between 0 and 1
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
   * Between as much as at size 1, and so many times as much: chance must not make a larger one
   * cheaper, nor a begin and an end that take less than nothing.
   */
  static double line(double size, double part, double whole, double less) {
    double more = (whole - less) / (1 - part) * (size - 1);
    return Math.clamp(whole + more, whole, size * whole);
  }
}
