package io.cloudkon.core.time;

/**
 * A moment on the two clocks by which a lease is measured.
 *
 * @param mono this machine's monotonic clock, milliseconds, any origin
 * @param service the service's clock, epoch milliseconds
 * @param leap by how much this machine's wall clock has moved ahead of its monotonic clock since
 *     the service's clock was last learned, in milliseconds: it was set, or the machine slept.
 *     Until the service's clock is learned anew, its time may be that much earlier
 */
public record Moment(long mono, long service, long leap) {

  /** A moment of clocks that agree. */
  public Moment(long mono, long service) {
    this(mono, service, 0);
  }

  /** The moment this much later on both clocks. */
  public Moment plus(long millis) {
    return new Moment(mono + millis, service + millis, leap);
  }

  /**
   * The end of a lease of this length that a call gets which begins now, as far as its holder may
   * rely on it: a wrong time of the service must not make it longer.
   */
  public Moment lease(long millis) {
    return new Moment(mono + millis, leaseEnd(millis));
  }

  /** The same by the service's clock, as it is written. */
  public long leaseEnd(long millis) {
    return earliest() + millis;
  }

  /** The earliest time of the service that it may be, in epoch milliseconds. */
  public long earliest() {
    return service - leap;
  }

  /**
   * The service's time before which another process's lease must have ended to be certainly over.
   *
   * @param margin how far clocks may be apart, in milliseconds
   */
  public long expiredBefore(long margin) {
    return earliest() - margin;
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
