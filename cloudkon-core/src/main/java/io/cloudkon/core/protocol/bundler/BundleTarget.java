package io.cloudkon.core.protocol.bundler;

/**
 * How much work a bundle is to hold: a fixed time for each slot of a worker, as they share it, and
 * more where it costs much to carry one. Pure; used by one thread at a time.
 */
final class BundleTarget {
  /** A bundle holds so many times the work that it costs to carry it. */
  static final double TIMES_CARRYING = 20;

  /** But no more than so many times its target: balance is worth more than calls. */
  static final double MOST_TARGETS = 4;

  /**
   * The minimum number of bundles in which each worker finds its part, where several workers share
   * what is left, down to bundles of one target.
   */
  static final double ROUNDS = 8;

  /**
   * However slow the sends are, and however many slots share it, a bundle holds no more work than
   * this, in microseconds: the most that a death can undo.
   */
  static final double MOST_MICROS = 10_000_000;

  private final double least;
  private final CarryingCost carrying = new CarryingCost();
  private boolean small;

  /**
   * The target of a client that has made no calls.
   *
   * @param micros for one slot, in microseconds
   */
  BundleTarget(double micros) {
    this.least = micros;
  }

  /** A bundle holds the target for one slot, whatever shares it and whatever it costs. */
  void keepSmall() {
    small = true;
  }

  /** A call that carries bundles or results took so long, in microseconds. */
  void called(long micros) {
    carrying.called(micros);
  }

  /**
   * How much work a bundle holds, in microseconds.
   *
   * @param left work that is in no bundle yet, in microseconds
   */
  double micros(AnsweringWorkers.Slots slots, double left) {
    if (small) {
      return least;
    }
    double worthCarrying = Math.min(MOST_TARGETS * least, TIMES_CARRYING * carrying.micros());
    double more = Math.min(MOST_MICROS, Math.max(slots.fewest() * least, worthCarrying));
    double target = Math.max(least, more);
    if (slots.fewest() == slots.all()) {
      return target;
    }
    // What is sent ahead arrives in any order: the large bundles may be the last ones.
    double part = left * slots.fewest() / (ROUNDS * slots.all());
    return Math.max(least, Math.min(target, part));
  }
}
