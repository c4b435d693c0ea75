package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.GangRunPhase.Trigger;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One attempt of a job on a gang: which of its ranks have ended, and the reason. */
final class GangRun {
  private final String job;
  private final int attempt;
  private final int size;
  private final long since;
  private final BitSet ended = new BitSet();

  /** The ranks that ended without having begun. */
  private final BitSet neverBegun = new BitSet();

  private GangRunPhase phase = GangRunPhase.TABLE.start();

  /**
   * The rank that failed first, or else the first one that was stopped with others of its program.
   */
  private int rank = -1;

  /** The reason why the launcher could not be started; null if there is none. */
  private GangEvent.@Nullable LaunchHindered hindrance;

  /** The outcome of the attempt, once nothing of it runs any more. */
  sealed interface End {
    /** The attempt determines the job's result. */
    record Settled(Verdict verdict) implements End {}

    /** A part of it died. */
    record Died() implements End {}

    /** Its ranks were stopped, and no worker died. */
    record Interrupted() implements End {}

    /** No rank ever began. */
    record NeverBegun() implements End {}

    /**
     * No rank ever began, for a reason that is specific to this worker: another worker is to manage
     * the job.
     */
    record Hindered(GangEvent.LaunchHindered why) implements End {}
  }

  /**
   * An attempt whose ranks are to start.
   *
   * @param job the job's bundle id
   * @param since the current time; monotonic milliseconds
   */
  GangRun(String job, int attempt, int size, long since) {
    this.job = job;
    this.attempt = attempt;
    this.size = size;
    this.since = since;
  }

  String job() {
    return job;
  }

  int attempt() {
    return attempt;
  }

  /** How long it has run, in milliseconds. */
  long age(long mono) {
    return mono - since;
  }

  boolean is(String otherJob, int otherAttempt) {
    return job.equals(otherJob) && attempt == otherAttempt;
  }

  /**
   * Records the end of a rank; returns whether the others are to be stopped for this reason.
   *
   * @param leaving whether its worker drains
   */
  boolean ended(GangEvent.Ended end, boolean leaving) {
    if (!is(end.job(), end.attempt()) || end.rank() >= size) {
      return false;
    }
    ended.set(end.rank());
    switch (end.how()) {
      case WELL -> {}
      case FAILED -> blame(Trigger.FAIL, end.rank());
      case ENDED -> blame(Trigger.END, end.rank());
      case KILLED -> learn(leaving ? Trigger.LEAVE : Trigger.KILL);
      case LEFT -> {
        neverBegun.set(end.rank());
        boolean unused = learn(Trigger.LEAVE);
      }
    }
    return end.how() != GangEvent.How.WELL;
  }

  private void blame(Trigger trigger, int which) {
    if (learn(trigger)) {
      rank = which;
    }
  }

  private boolean learn(Trigger trigger) {
    boolean news = GangRunPhase.TABLE.allows(phase, trigger);
    if (news) {
      phase = GangRunPhase.TABLE.next(phase, trigger);
    }
    return news;
  }

  /**
   * Records that what the manager runs beside the ranks failed.
   *
   * @param started whether any sub-worker was told to start its ranks
   */
  void launchFailed(boolean started) {
    boolean unused = learn(started ? Trigger.LAUNCH_FAIL : Trigger.NEVER_LAUNCH);
    if (!started) {
      ended.set(0, size);
    }
  }

  /** The manager's worker cannot start what runs beside the ranks, so that none will begin. */
  void hindered(GangEvent.LaunchHindered why) {
    if (learn(Trigger.HINDER)) {
      hindrance = why;
    }
    ended.set(0, size);
  }

  /** No sub-worker was told to start anything, or will be. */
  void withdrawn() {
    boolean unused = learn(Trigger.WITHDRAW);
    ended.set(0, size);
  }

  /**
   * Whether nothing of it runs any more.
   *
   * @param over whether a rank that did not report its end must have ended nevertheless
   */
  boolean over(IntPredicate over) {
    for (int each = ended.nextClearBit(0); each < size; each = ended.nextClearBit(each + 1)) {
      if (!over.test(each)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The outcome of the attempt.
   *
   * @param broken whether one of its sub-workers was lost: when a worker dies, ranks that talk to
   *     its ranks fail as well
   * @param killed whether the manager's worker stops everything at once
   */
  End end(boolean broken, boolean killed) {
    if (phase == GangRunPhase.RUNNING && ended.cardinality() == size) {
      return new End.Settled(new Verdict.Succeeded());
    }
    boolean began =
        switch (phase) {
          case NEVER_LAUNCHED, HINDERED, NEVER_BEGUN -> false;
          case LEFT -> neverBegun.cardinality() < size;
          case RUNNING,
              ENDED,
              ENDED_BY_ITSELF,
              KILLED,
              FAILED,
              LAUNCH_FAILED,
              LAUNCH_FAILED_BY_ITSELF ->
              true;
        };
    if (broken || killed) {
      return !began ? new End.NeverBegun() : broken ? new End.Died() : new End.Interrupted();
    }
    return switch (phase) {
      case RUNNING -> new End.Settled(new Verdict.Succeeded());
      case FAILED, ENDED, ENDED_BY_ITSELF -> new End.Settled(new Verdict.RankFailed(rank));
      case LAUNCH_FAILED, LAUNCH_FAILED_BY_ITSELF, NEVER_LAUNCHED ->
          new End.Settled(new Verdict.LaunchFailed());
      case KILLED -> new End.Died();
      case LEFT -> began ? new End.Interrupted() : new End.NeverBegun();
      case HINDERED -> new End.Hindered(Objects.requireNonNull(hindrance));
      case NEVER_BEGUN -> new End.NeverBegun();
    };
  }

  @Override
  public String toString() {
    return "%s#%d %s, ended %s".formatted(job, attempt, phase, ended);
  }
}
