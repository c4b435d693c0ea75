package io.cloudkon.core.time;

/**
 * One moment, on the two clocks that a lease is measured by.
 *
 * @param mono this machine's monotonic clock, milliseconds, any origin
 * @param service the service's clock, epoch milliseconds
 */
public record Moment(long mono, long service) {

  /** This much later on both. */
  public Moment plus(long millis) {
    return new Moment(mono + millis, service + millis);
  }

  /** The monotonic clock in whole seconds. */
  public int seconds() {
    return (int) (mono / 1000);
  }

  /**
   * Whether the other moment lies before this one on either clock. A lease is over when either
   * clock says so: a suspended machine stops the first, a wrong offset bends the second.
   */
  public boolean eitherPast(Moment end) {
    return mono >= end.mono || service >= end.service;
  }
}
