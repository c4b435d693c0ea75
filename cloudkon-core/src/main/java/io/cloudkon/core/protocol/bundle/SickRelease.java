package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bundle on its way back from a worker that is sick. No attempt counts, so the workers are
 * counted that gave it back like that: it may be what makes them sick.
 */
final class SickRelease {
  private final String claim;
  private @Nullable String reason;
  private Note note = Note.DUE;
  private int workers;

  /** What could not be started by a worker that is well otherwise. */
  private Positions alone = Positions.none();

  /** How far it is noted that this worker gives it back. */
  private enum Note {
    DUE,
    ON_ITS_WAY,
    NOTED
  }

  SickRelease(String claim) {
    this.claim = claim;
  }

  /** This worker is sick; the first reason stands. */
  void because(BundleEvent.Sick found) {
    if (reason == null) {
      reason = found.reason();
    }
    if (found.ofTheseAlone()) {
      alone = alone.plus(found.tasks());
    }
  }

  /**
   * Whether it may be given back: at once by a worker that is well.
   *
   * @param out takes what is to be noted before
   */
  boolean isNoted(List<BundleEffect> out) {
    if (reason == null || note == Note.NOTED) {
      return true;
    }
    if (note == Note.DUE) {
      note = Note.ON_ITS_WAY;
      out.add(new BundleEffect.NoteSick(claim));
    }
    return false;
  }

  void noted(int byWorkers) {
    note = Note.NOTED;
    workers = byWorkers;
  }

  void notNoted() {
    note = Note.DUE;
  }

  /** Whether so many gave it back that nobody is to try again. */
  boolean tooOften() {
    return workers >= Limits.SICK_WORKERS;
  }

  /**
   * What becomes of its tasks then. What could not be started has failed, and the rest goes on. A
   * worker that can start nothing could start none of those that are pending.
   *
   * @param pending tasks that are to start
   * @param tried tasks that started here, failed, and wait for their next try
   * @param handsOn whether it may have children
   */
  Verdict verdict(Positions pending, Positions tried, boolean handsOn) {
    Positions open = pending.plus(tried);
    Positions known = pending.common(alone);
    Positions failed = known.isEmpty() ? pending : known;
    boolean all = !handsOn || failed.isEmpty();
    return Verdict.ofSickWorkers(
        workers,
        Objects.requireNonNull(reason),
        all ? open : failed,
        all ? List.of() : children(open.minus(failed)));
  }

  /**
   * The rest of a bundle that a client made is one child. What is a child already may be full of
   * such tasks: its rest is halved, so that n of them nest log2(n) + 1 deep at most.
   */
  private List<Positions> children(Positions rest) {
    if (rest.size() < 2 || BundleIds.depth(claim) == 0) {
      return Verdict.oneChild(rest);
    }
    Positions half = rest.first(rest.size() / 2);
    return List.of(half, rest.minus(half));
  }
}
