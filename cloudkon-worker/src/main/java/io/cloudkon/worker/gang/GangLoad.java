package io.cloudkon.worker.gang;

/**
 * A worker's work for HPC jobs at one moment.
 *
 * @param slotsToOffer the slots that are kept for ranks and run none
 * @param offersThatMayWait the offers that may be received for slots that run tasks now
 * @param ranks the ranks that run here or are to run here
 * @param jobs the jobs in hand
 * @param gangs the gangs that it manages
 */
public record GangLoad(int slotsToOffer, int offersThatMayWait, int ranks, int jobs, int gangs) {
  /** The number of offers that may be received, besides those for the worker's free slots. */
  int receivable() {
    return slotsToOffer + offersThatMayWait;
  }

  static final GangLoad NONE = new GangLoad(0, 0, 0, 0, 0);
}
