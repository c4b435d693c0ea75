package io.cloudkon.simulator.load;

/**
 * The offer of a rank that needs a slot.
 *
 * @param gang the gang's id
 * @param job the bundle id of the job for which the gang forms
 * @param rank the rank, from 0
 * @param manager the worker that manages it
 * @param deadline when the offer expires; service clock, epoch milliseconds
 */
public record SimOffer(String gang, String job, int rank, String manager, long deadline) {
  /** The approximate size of an offer in a message. */
  public static final int BYTES = 300;

  @Override
  public String toString() {
    return "rank %d of %s".formatted(rank, gang);
  }
}
