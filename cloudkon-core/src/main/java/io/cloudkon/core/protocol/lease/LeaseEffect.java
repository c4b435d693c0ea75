package io.cloudkon.core.protocol.lease;

/** The next thing that a driver does for a {@link LeaseMachine}. */
public sealed interface LeaseEffect {

  /** Read the entry consistently; answered by {@code found} or {@code failed}. */
  record LookUp() implements LeaseEffect {}

  /**
   * Write an entry of one's own on condition that it stands there as {@link LookUp} found it;
   * answered by {@code written}, {@code refused} or {@code failed}.
   *
   * @param length of the lease in milliseconds, from the moment at which the machine was asked
   */
  record Take(long length) implements LeaseEffect {}

  /**
   * Write the holder's entry anew, on condition that it still is the holder's; answered by {@code
   * written}, {@code refused} or {@code failed}.
   *
   * @param length of the lease in milliseconds, from the moment at which the machine was asked; 0
   *     lets it go
   */
  record Write(long length) implements LeaseEffect {
    /** Whether the lease ends with it. */
    public boolean letsGo() {
      return length == 0;
    }
  }

  /** Ask again after so many milliseconds, or sooner if there is news to publish. */
  record Wait(long millis) implements LeaseEffect {}

  /** A call is not answered yet, or the lease is lost or was let go. */
  record Nothing() implements LeaseEffect {}
}
