package io.cloudkon.core.protocol.lease;

/** The answer to {@link LeaseEffect.LookUp}: what stands in the store. */
public sealed interface LeaseFinding {

  /** No entry at all, or one that is over for good. */
  record Gone() implements LeaseFinding {}

  /**
   * This process is the holder: an earlier write of its own, whose answer was lost, was carried
   * out, or somebody who does not take the lease changed the entry.
   */
  record Mine() implements LeaseFinding {}

  /** This process has let it go, by an earlier write whose answer was lost. */
  record LetGo() implements LeaseFinding {}

  /** Another process is the holder, or was the last one. */
  record Other(SeenLease lease) implements LeaseFinding {}
}
