package io.cloudkon.core.time;

/**
 * A moment on the two clocks by which a lease is measured.
 *
 * @param mono this machine's monotonic clock, milliseconds, any origin
 * @param service the service's clock, epoch milliseconds
 */
public record Moment(long mono, long service) {

  /** The moment this much later on both clocks. */
  public Moment plus(long millis) {
    return new Moment(mono + millis, service + millis);
  }

  /** The monotonic clock in whole seconds. */
  public int seconds() {
    return (int) (mono / 1000);
  }

  /**
   * Whether the other moment is before this one on either clock. A lease is over if either clock
   * says so, because a suspended machine stops the first clock, and a wrong offset distorts the
   * second.
   */
  public boolean eitherPast(Moment end) {
    return mono >= end.mono || service >= end.service;
  }
}
