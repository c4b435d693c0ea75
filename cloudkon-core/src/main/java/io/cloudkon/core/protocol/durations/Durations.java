package io.cloudkon.core.protocol.durations;

import io.cloudkon.core.model.Work;
import java.util.HashMap;
import java.util.Map;

/**
 * How long tasks take, learned by kind: an exponentially weighted mean per handler or program. A
 * sleep is known from its argument. Pure; used by one thread at a time.
 */
public final class Durations {
  private static final double WEIGHT = 0.3;
  private static final int KEYS = 1000;

  private final Map<String, Double> micros = new HashMap<>();

  /** What tasks of one sort are learned under. */
  public static String key(Work work) {
    return switch (work) {
      case Work.Noop noop -> "noop";
      case Work.Sleep sleep -> "sleep";
      case Work.JavaCall java -> java.handler();
      case Work.Exec exec -> program(exec);
    };
  }

  private static String program(Work.Exec exec) {
    boolean shell = exec.argv().size() == 3 && exec.argv().getFirst().equals("/bin/sh");
    String line = exec.argv().get(shell ? 2 : 0);
    int space = line.indexOf(' ');
    return "exec " + (space < 0 ? line : line.substring(0, space));
  }

  /**
   * How long it is likely to take.
   *
   * @return microseconds; NaN if nothing is known
   */
  public double micros(Work work) {
    return work instanceof Work.Sleep sleep
        ? sleep.millis() * 1000.0
        : micros.getOrDefault(key(work), Double.NaN);
  }

  /** So many tasks of a key took so long together. */
  public void learn(String key, int count, long totalMicros) {
    double mean = (double) totalMicros / count;
    double weight = 1 - Math.pow(1 - WEIGHT, Math.min(count, 20));
    if (micros.size() < KEYS || micros.containsKey(key)) {
      micros.merge(key, mean, (old, fresh) -> old + weight * (fresh - old));
    }
  }
}
