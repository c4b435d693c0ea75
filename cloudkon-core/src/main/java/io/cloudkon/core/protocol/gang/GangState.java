package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.GangPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A gang's phase with the data that exists only in that phase. Every step is a transition of the
 * table.
 */
sealed interface GangState {
  /** The deadline before the first offer was sent, when the time to fill has not begun. */
  long NO_DEADLINE = Long.MAX_VALUE;

  GangPhase phase();

  /** A gang that still needs sub-workers. */
  sealed interface Filling extends GangState {
    /** The time at which the gang is dissolved unless it is full; monotonic milliseconds. */
    long deadline();
  }

  /** A gang whose ranks run or are being stopped. */
  sealed interface Running extends GangState {
    GangRun run();
  }

  /**
   * A gang with ranks that are to be offered.
   *
   * @param unsent the ranks whose offers could not be sent; empty before the first offers
   */
  record Forming(long deadline, Set<Integer> unsent) implements Filling {
    /** Whether no rank was offered before. */
    boolean first() {
      return deadline == NO_DEADLINE;
    }

    /** Those of the vacant ranks that are to be offered: the others are on their way already. */
    List<Integer> offers(List<Integer> vacant) {
      return first() ? vacant : vacant.stream().filter(unsent::contains).toList();
    }

    private Forming with(Set<Integer> more) {
      Set<Integer> all = new HashSet<>(unsent);
      all.addAll(more);
      return new Forming(deadline, all);
    }

    @Override
    public GangPhase phase() {
      return GangPhase.FORMING;
    }
  }

  record Offered(long deadline) implements Filling {
    @Override
    public GangPhase phase() {
      return GangPhase.OFFERED;
    }
  }

  record Abandoned() implements GangState {
    @Override
    public GangPhase phase() {
      return GangPhase.ABANDONED;
    }
  }

  /**
   * Ready for a job.
   *
   * @param since when it became ready; monotonic milliseconds
   */
  record Standing(long since) implements GangState {
    @Override
    public GangPhase phase() {
      return GangPhase.STANDING;
    }
  }

  record Retired() implements GangState {
    @Override
    public GangPhase phase() {
      return GangPhase.RETIRED;
    }
  }

  record Serving(GangRun run) implements Running {
    @Override
    public GangPhase phase() {
      return GangPhase.SERVING;
    }
  }

  record ServingLast(GangRun run) implements Running {
    @Override
    public GangPhase phase() {
      return GangPhase.SERVING_LAST;
    }
  }

  record Stopping(GangRun run) implements Running {
    @Override
    public GangPhase phase() {
      return GangPhase.STOPPING;
    }
  }

  record StoppingLast(GangRun run) implements Running {
    @Override
    public GangPhase phase() {
      return GangPhase.STOPPING_LAST;
    }
  }

  record Breaking(GangRun run) implements Running {
    @Override
    public GangPhase phase() {
      return GangPhase.BREAKING;
    }
  }

  record Gone() implements GangState {
    @Override
    public GangPhase phase() {
      return GangPhase.GONE;
    }
  }

  /** The state of a gang that was just admitted. */
  static GangState start() {
    return new Forming(NO_DEADLINE, Set.of());
  }

  /** The state after its ranks were offered. */
  default GangState offer(long deadline) {
    return step(Trigger.OFFER, new Offered(deadline));
  }

  /** The state if the offers of these ranks could not be sent. */
  default GangState offerFailed(Set<Integer> ranks) {
    return switch (this) {
      case Offered offered -> step(Trigger.OFFER_FAILED, new Forming(offered.deadline, ranks));
      case Forming forming -> forming.first() ? this : forming.with(ranks);
      case Abandoned s -> this;
      case Standing s -> this;
      case Retired s -> this;
      case Running s -> this;
      case Gone s -> this;
    };
  }

  /** The state after every rank has its slot. */
  default GangState full(Moment now) {
    return step(Trigger.FULL, new Standing(now.mono()));
  }

  /** The state while its ranks run a job. */
  default GangState serve(GangRun run) {
    return step(Trigger.SERVE, new Serving(run));
  }

  /** The state in which the current job is the last one. */
  default GangState retire() {
    return switch (this) {
      case Filling filling -> step(Trigger.RETIRE, new Abandoned());
      case Standing standing -> step(Trigger.RETIRE, new Retired());
      case Serving serving -> step(Trigger.RETIRE, new ServingLast(serving.run));
      case Stopping stopping -> step(Trigger.RETIRE, new StoppingLast(stopping.run));
      case ServingLast s -> this;
      case StoppingLast s -> this;
      case Breaking s -> this;
      case Abandoned s -> this;
      case Retired s -> this;
      case Gone s -> this;
    };
  }

  /**
   * The state in which its ranks are being stopped; unchanged if nothing runs or they are already
   * being stopped.
   */
  default GangState stop() {
    return switch (this) {
      case Serving serving -> step(Trigger.STOP, new Stopping(serving.run));
      case ServingLast serving -> step(Trigger.STOP, new StoppingLast(serving.run));
      case Stopping s -> this;
      case StoppingLast s -> this;
      case Breaking s -> this;
      case Filling s -> this;
      case Standing s -> this;
      case Abandoned s -> this;
      case Retired s -> this;
      case Gone s -> this;
    };
  }

  /** The state after a sub-worker of the running job is lost. */
  default GangState breakUp(GangRun run) {
    return step(Trigger.BREAK, new Breaking(run));
  }

  /** The state after nothing runs any more; a breaking gang does not become ready again. */
  default GangState ended(Moment now) {
    return switch (this) {
      case Serving s -> step(Trigger.SERVED, new Standing(now.mono()));
      case ServingLast s -> step(Trigger.SERVED, new Retired());
      case Stopping s -> step(Trigger.STOPPED, new Standing(now.mono()));
      case StoppingLast s -> step(Trigger.STOPPED, new Retired());
      case Breaking s -> this;
      case Filling s -> this;
      case Standing s -> this;
      case Abandoned s -> this;
      case Retired s -> this;
      case Gone s -> this;
    };
  }

  /** The state of a dissolved gang. */
  default GangState dissolve() {
    return step(Trigger.DISSOLVE, new Gone());
  }

  private GangState step(Trigger trigger, GangState to) {
    GangPhase expected = GangPhase.TABLE.next(phase(), trigger);
    if (expected != to.phase()) {
      throw new IllegalStateException(
          "gang: %s in state %s leads to %s, not to %s"
              .formatted(trigger, phase(), expected, to.phase()));
    }
    return to;
  }
}
