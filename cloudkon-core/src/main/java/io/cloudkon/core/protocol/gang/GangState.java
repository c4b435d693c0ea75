package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.GangPhase.Trigger;
import io.cloudkon.core.time.Moment;

/** A gang's phase, with what there is in that phase only. Every step is one of the table's. */
sealed interface GangState {
  /** No offer went out yet, so that no time runs for the gang to fill. */
  long NO_DEADLINE = Long.MAX_VALUE;

  GangPhase phase();

  /** One that still looks for sub-workers. */
  sealed interface Filling extends GangState {
    /** When it is dissolved unless it is full; monotonic milliseconds. */
    long deadline();
  }

  /** One whose ranks run, or are being ended. */
  sealed interface Running extends GangState {
    GangRun run();
  }

  record Forming(long deadline) implements Filling {
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
   * @param since when it began to stand; monotonic milliseconds
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

  /** Of a gang that was just admitted. */
  static GangState start() {
    return new Forming(NO_DEADLINE);
  }

  /** Its ranks go on offer. */
  default GangState offer(long deadline) {
    return step(Trigger.OFFER, new Offered(deadline));
  }

  /** Some of the offers could not be sent. */
  default GangState offerFailed() {
    return this instanceof Offered offered
        ? step(Trigger.OFFER_FAILED, new Forming(offered.deadline))
        : this;
  }

  /** Every rank has its slot. */
  default GangState full(Moment now) {
    return step(Trigger.FULL, new Standing(now.mono()));
  }

  /** Its ranks run a job. */
  default GangState serve(GangRun run) {
    return step(Trigger.SERVE, new Serving(run));
  }

  /** It serves what it serves, and no more. */
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

  /** What it runs is to end; a gang that runs nothing, or ends it already, stays as it is. */
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

  /** A sub-worker of what it runs is lost. */
  default GangState breakUp(GangRun run) {
    return step(Trigger.BREAK, new Breaking(run));
  }

  /** Nothing of it runs any more; a gang that breaks stays so. */
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

  /** It is no more. */
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
