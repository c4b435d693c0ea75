package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The release of a bundle by a sick worker. It does not count as an attempt, so the workers that
 * gave the bundle back for this reason are counted instead, because the bundle may be what makes
 * them sick.
 */
final class SickRelease {
  private final String claim;
  private @Nullable String reason;
  private Note note = Note.DUE;
  private int workers;

  /** The tasks that an otherwise healthy worker could not start. */
  private Positions alone = Positions.none();

  /** The progress of the note that this worker gives the bundle back. */
  private enum Note {
    DUE,
    ON_ITS_WAY,
    NOTED
  }

  SickRelease(String claim) {
    this.claim = claim;
  }

  /** Records that this worker is sick; the first reason is kept. */
  void because(BundleEvent.Sick found) {
    if (reason == null) {
      reason = found.reason();
    }
    if (found.ofTheseAlone()) {
      alone = alone.plus(found.tasks());
    }
  }

  /**
   * Whether the bundle may be given back; a healthy worker may do so at once.
   *
   * @param out receives the note that is required before
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

  /** Whether so many workers gave it back that it must not be tried again. */
  boolean tooOften() {
    return workers >= Limits.SICK_WORKERS;
  }

  /**
   * The outcome of its tasks in that case. Tasks that could not be started have failed, and the
   * rest continues. If the worker can start nothing, none of the pending tasks could be started.
   *
   * @param pending the tasks that were to start
   * @param tried the tasks that started here, failed, and wait for their next try
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
   * The children for the rest. The rest of a bundle that a client made is one child. A bundle that
   * is a child itself may be full of such tasks, so its rest is halved; n of them then nest at most
   * log2(n) + 1 deep.
   */
  private List<Positions> children(Positions rest) {
    if (rest.size() < 2 || BundleIds.depth(claim) == 0) {
      return Verdict.oneChild(rest);
    }
    Positions half = rest.first(rest.size() / 2);
    return List.of(half, rest.minus(half));
  }
}
