package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.time.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The provisionally LOST tasks of a run that has no end yet, and how long each has waited for a
 * real result. Such a run's queue may never be quiet, because results of later tasks keep coming.
 * So the wait counts while receives follow one another, and starts again after a failed receive,
 * which may have hidden a message, after a full one, and after a pause. Pure; used by one thread at
 * a time.
 */
final class LostSoFar {
  /**
   * How much longer a task waits if the queue is never quiet: SQS delivers in no order, and only
   * receives that stay empty show that nothing is left.
   */
  private static final int NEVER_QUIET = 3;

  /** The maximum time in milliseconds between two receives that follow one another. */
  private static final long GAP = 1_000;

  private final Quiet quiet;

  /** Those that were lost since the last call of {@link #take}. */
  private final List<Integer> fresh = new ArrayList<>();

  /** All others, in the order in which they were lost. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private long since = Long.MIN_VALUE;
  private Moment until = new Moment(0, 0);

  /**
   * One task.
   *
   * @param from when its wait began, by the monotonic clock
   */
  private record Waiting(int ordinal, long from) {}

  LostSoFar(Quiet quiet) {
    this.quiet = quiet;
  }

  /** Records that a task is provisionally LOST. */
  void add(int ordinal) {
    fresh.add(ordinal);
  }

  /** Records a receive from its begin to its end. A full one shows that more is waiting. */
  void received(int messages, Moment begun, Moment now) {
    if (begun.mono() > until.mono() + GAP) {
      since = begun.mono();
    }
    if (messages >= Limits.BATCH) {
      since = now.mono();
    }
    if (now.mono() > until.mono()) {
      until = now;
    }
  }

  /** Starts all waits again, because a receive failed. */
  void failed(Moment now) {
    since = now.mono();
  }

  /**
   * Takes out the tasks for which no result can come any more. To be called every second.
   *
   * @param grace how long receives must have stayed empty, in milliseconds
   * @param open whether a task is still provisionally LOST
   */
  int[] take(long grace, Moment now, IntPredicate open) {
    fresh.forEach(ordinal -> waiting.add(new Waiting(ordinal, now.mono())));
    fresh.clear();
    IntStream.Builder taken = IntStream.builder();
    boolean all = quiet.lasted(grace, now);
    boolean some = !now.eitherPast(until.plus(GAP)) && quiet.elsewhereLasted(grace, now);
    while (!waiting.isEmpty() && (all || (some && waited() >= NEVER_QUIET * grace))) {
      int ordinal = waiting.remove().ordinal();
      if (open.test(ordinal)) {
        taken.add(ordinal);
      }
    }
    return taken.build().toArray();
  }

  /** How long the first one has waited while receives followed one another. */
  private long waited() {
    return until.mono() - Math.max(since, waiting.element().from());
  }
}
