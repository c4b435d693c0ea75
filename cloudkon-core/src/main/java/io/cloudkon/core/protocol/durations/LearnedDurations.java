package io.cloudkon.core.protocol.durations;

import io.cloudkon.core.model.Work;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Learns how long tasks take, by kind: a mean per handler or program that forgets. A report is
 * weighted by its number of tasks, so that a first task, which also loads classes, is soon
 * outweighed. In the long run a new report has a weight of one fifth, so that one pause of the
 * machine does not shrink the next bundles to nothing. The duration of a sleep is known from its
 * argument. Of more than 1,000 kinds, those that did not occur for the longest time are forgotten.
 * Pure; used by one thread at a time.
 */
public final class LearnedDurations {
  /** The remaining weight of earlier reports with each new one. */
  private static final double REMEMBERED = 0.8;

  private static final int KEYS = 1000;

  /** Those that were asked for or learned last. */
  private final Map<String, Mean> means =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Mean> eldest) {
          return size() > KEYS;
        }
      };

  /** A weighted sum of times and of tasks. */
  private static final class Mean {
    double micros;
    double tasks;
    long results;
  }

  /** The key under which the durations of such tasks are learned. */
  public static String key(Work work) {
    return switch (work) {
      case Work.Noop noop -> "noop";
      case Work.Sleep sleep -> "sleep";
      case Work.JavaCall java -> java.handler();
      case Work.Exec exec -> program(exec);
      case Work.Stored stored -> "stored " + stored.kind();
      case Work.Hpc hpc -> "hpc " + hpc.ranks() + ' ' + key(hpc.each());
    };
  }

  private static String program(Work.Exec exec) {
    boolean shell = exec.argv().size() == 3 && exec.argv().getFirst().equals("/bin/sh");
    String line = exec.argv().get(shell ? 2 : 0);
    int space = line.indexOf(' ');
    return "exec " + (space < 0 ? line : line.substring(0, space));
  }

  /**
   * The estimated duration.
   *
   * @return microseconds; NaN if nothing is known
   */
  public double micros(Work work) {
    if (work instanceof Work.Sleep sleep) {
      return sleep.millis() * 1000.0;
    }
    Mean mean = means.get(key(work));
    return mean == null ? Double.NaN : mean.micros / mean.tasks;
  }

  /** From how many results that is known; {@link Long#MAX_VALUE} for a sleep, which needs none. */
  public long results(Work work) {
    if (work instanceof Work.Sleep) {
      return Long.MAX_VALUE;
    }
    Mean mean = means.get(key(work));
    return mean == null ? 0 : mean.results;
  }

  /** Learns from a number of tasks with this key and their total time. */
  public void learn(String key, int count, long totalMicros) {
    Mean mean = means.computeIfAbsent(key, k -> new Mean());
    mean.micros = REMEMBERED * mean.micros + totalMicros;
    mean.tasks = REMEMBERED * mean.tasks + count;
    mean.results += count;
  }
}
