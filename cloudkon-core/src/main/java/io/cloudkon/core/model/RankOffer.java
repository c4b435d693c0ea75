package io.cloudkon.core.model;

/**
 * An offer of one rank of a gang that needs a slot. Immutable.
 *
 * @param gang the gang's id
 * @param job the bundle id of the job for which it forms
 * @param attempt the attempt of that job's claim
 * @param rank the number of the rank, from 0
 * @param size the number of ranks of the gang
 * @param manager the address of its manager, host:port
 * @param secret a ticket with which its holder may register for this rank; never logged
 * @param deadlineMillis when the offer expires; service clock, epoch milliseconds
 * @param fingerprint the fingerprint of the manager's certificate, in 43 characters of base64;
 *     empty if its calls are not encrypted
 */
public record RankOffer(
    String gang,
    String job,
    int attempt,
    int rank,
    int size,
    String manager,
    String secret,
    long deadlineMillis,
    String fingerprint) {

  /** Without the secret, so that it can be logged. */
  @Override
  public String toString() {
    return "rank %d of %d of gang %s at %s for job %s, attempt %d"
        .formatted(rank, size, gang, manager, job, attempt);
  }
}
