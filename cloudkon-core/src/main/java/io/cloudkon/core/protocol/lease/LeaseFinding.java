package io.cloudkon.core.protocol.lease;

/** The answer to {@link LeaseEffect.LookUp}: the stored lease. */
public sealed interface LeaseFinding {

  /** There is no entry, or it has ended permanently. */
  record Gone() implements LeaseFinding {}

  /**
   * This process is the holder: an earlier write of its own, whose answer was lost, was carried
   * out, or another process changed the entry without taking the lease.
   */
  record Mine() implements LeaseFinding {}

  /** This process has released it with an earlier write whose answer was lost. */
  record LetGo() implements LeaseFinding {}

  /** Another process is the holder, or was the last one. */
  record Other(SeenLease lease) implements LeaseFinding {}
}
