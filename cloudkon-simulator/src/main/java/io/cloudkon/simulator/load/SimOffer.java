package io.cloudkon.simulator.load;

/**
 * A rank that looks for a slot.
 *
 * @param gang which
 * @param job the bundle id of the job for which the gang forms
 * @param rank from 0
 * @param manager the worker that manages it
 * @param deadline when it is void; service clock, epoch milliseconds
 */
public record SimOffer(String gang, String job, int rank, String manager, long deadline) {
  /** About what one takes in a message. */
  public static final int BYTES = 300;

  @Override
  public String toString() {
    return "rank %d of %s".formatted(rank, gang);
  }
}
