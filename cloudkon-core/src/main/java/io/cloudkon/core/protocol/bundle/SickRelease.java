package io.cloudkon.core.protocol.bundle;

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
  void because(String why) {
    if (reason == null) {
      reason = why;
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

  /** What becomes of these tasks then. */
  Verdict verdict(Positions open) {
    return Verdict.ofSickWorkers(workers, Objects.requireNonNull(reason), open);
  }
}
