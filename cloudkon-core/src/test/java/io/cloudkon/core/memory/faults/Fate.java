package io.cloudkon.core.memory.faults;

/** What happens to one call. */
public enum Fate {
  /** What should. */
  CARRIED_OUT,
  /** A transient error, and no effect: throttled, or never arrived. */
  THROTTLED,
  /** A transient error although the effect happened. */
  ANSWER_LOST,
  /** A transient error, and the effect happens some calls later. */
  EFFECT_LATE,
  /**
   * The effect and its answer, and the same effect once more some calls later: a send delivers its
   * messages twice, a write arrives again after newer ones.
   */
  COPIED,
  /**
   * Every second entry of a batch fails, retryable; of those, again every second had its effect.
   */
  PARTIAL,
  /** A delete or a change of visibility that does nothing, and says nothing. */
  IGNORED,
  /** A delete after which the messages come once more, each at most once. */
  REPLAYED
}
