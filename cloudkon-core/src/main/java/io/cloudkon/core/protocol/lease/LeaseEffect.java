package io.cloudkon.core.protocol.lease;

/** The next thing that a driver does for a {@link LeaseMachine}. */
public sealed interface LeaseEffect {

  /** Read the entry consistently; answered by {@code found} or {@code failed}. */
  record LookUp() implements LeaseEffect {}

  /**
   * Write this process's entry on the condition that the stored one has not changed since {@link
   * LookUp}; answered by {@code written}, {@code refused} or {@code failed}.
   *
   * @param length the length of the lease in milliseconds, from the moment at which the machine was
   *     asked
   */
  record Take(long length) implements LeaseEffect {}

  /**
   * Write the holder's entry again, on the condition that the holder has not changed; answered by
   * {@code written}, {@code refused} or {@code failed}.
   *
   * @param length the length of the lease in milliseconds, from the moment at which the machine was
   *     asked; 0 releases it
   */
  record Write(long length) implements LeaseEffect {
    /** Whether this write releases the lease. */
    public boolean letsGo() {
      return length == 0;
    }
  }

  /** Ask again after that many milliseconds, or sooner if there is news to publish. */
  record Wait(long millis) implements LeaseEffect {}

  /** Do nothing: a call is not answered yet, or the lease was lost or released. */
  record Nothing() implements LeaseEffect {}
}
