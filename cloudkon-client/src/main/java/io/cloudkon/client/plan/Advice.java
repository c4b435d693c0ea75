package io.cloudkon.client.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change of the client's options, and its effect.
 *
 * @param options as on the command line
 * @param fleet the fleet for which it was tried, without the change
 * @param with the forecast of that fleet with the change
 */
record Advice(String options, Forecast fleet, Forecast with) {
  private static final int MOST_THREADS = 64;
  private static final double HELPS = 0.9;
  private static final long LARGER_TARGET = 4;

  /** Changed options, and the settings with them. */
  private record Change(String options, PlanSettings question) {}

  /** Tries changes for the largest fleet that options limit; empty if there is no such fleet. */
  static Optional<Advice> find(Forecaster fleets, List<Forecast> rows) {
    for (Forecast row : rows.reversed()) {
      List<Change> changes = changes(fleets.question(), row);
      if (!changes.isEmpty()) {
        return tried(fleets, row, changes);
      }
    }
    return Optional.empty();
  }

  /** Whether the change shortens the run noticeably. */
  boolean helps() {
    return with.makespanSeconds() <= HELPS * fleet.makespanSeconds();
  }

  private static Optional<Advice> tried(Forecaster fleets, Forecast row, List<Change> changes) {
    Optional<Advice> best = Optional.empty();
    for (Change change : changes) {
      Forecast with = fleets.asking(change.question()).of(row.workers());
      double before = best.map(advice -> advice.with().makespanSeconds()).orElse(Double.MAX_VALUE);
      if (with.makespanSeconds() <= HELPS * before) {
        best = Optional.of(new Advice(change.options(), row, with));
      }
    }
    return best;
  }

  private static List<Change> changes(PlanSettings now, Forecast row) {
    List<Change> changes = new ArrayList<>();
    Change larger = larger(now);
    switch (row.limit()) {
      case CLIENT_SENDS, CLIENT_COLLECTS -> {
        int threads = threads(now.threads(), row.efficiency());
        PlanSettings more = now.withThreads(threads);
        if (threads > now.threads()) {
          changes.add(new Change("-t " + threads, more));
        }
        if (now.bundler().fixedTasks() == 0) {
          changes.add(larger);
          if (threads > now.threads()) {
            Change both = larger(more);
            changes.add(new Change("-t %d %s".formatted(threads, both.options()), both.question()));
          }
        }
      }
      case TABLE_WRITES, IN_FLIGHT, CALLS_PER_BUNDLE -> {
        if (now.bundler().fixedTasks() == 0) {
          changes.add(larger);
        }
      }
      case NONE, RETENTION, FEWER_TASKS_THAN_SLOTS, LONGEST_TASK, FEW_TASKS_PER_SLOT, SHORT_RUN -> {
        // No option of the client makes a difference.
      }
    }
    return changes;
  }

  private static Change larger(PlanSettings now) {
    long target = LARGER_TARGET * now.bundler().targetMillis();
    String text = target % 1000 == 0 ? target / 1000 + "s" : target + "ms";
    return new Change("--bundle-target " + text, now.withTargetMillis(target));
  }

  /**
   * The number of threads that the slots could use: the current number, doubled as often as needed.
   */
  private static int threads(int now, double efficiency) {
    double wanted = now / Math.max(0.01, efficiency);
    int threads = now;
    while (threads < wanted && threads < MOST_THREADS) {
      threads *= 2;
    }
    return Math.min(threads, MOST_THREADS);
  }
}
