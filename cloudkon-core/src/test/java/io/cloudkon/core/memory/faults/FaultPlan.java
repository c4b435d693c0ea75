package io.cloudkon.core.memory.faults;

/**
 * Says what each call meets. Implementations are thread safe. A test may write its own, also to
 * stop the caller at an exact place by throwing from {@link #fate} (before the effect) or {@link
 * #after} (after it).
 */
public interface FaultPlan {

  /**
   * The fate of the call that begins now; one that the operation cannot meet counts as carried out.
   */
  Fate fate(Operation operation);

  /** Called once a call's effect has happened, before its answer is given. */
  default void after(Operation operation) {}

  /**
   * After how many further calls on the same port a late or repeated effect happens; 0 is at once.
   * The default is never: not before {@link UnreliableCluster#deliverLate}.
   */
  default int lateness(Operation operation) {
    return Integer.MAX_VALUE;
  }

  /** From which entry of a batch on {@link Fate#PARTIAL} counts; 0 to 3. */
  default int shift(Operation operation) {
    return 0;
  }
}
