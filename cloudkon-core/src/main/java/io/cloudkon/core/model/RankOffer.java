package io.cloudkon.core.model;

/**
 * One rank of a gang that looks for a slot. Immutable.
 *
 * @param gang the gang's id
 * @param job the bundle id of the job for which it forms
 * @param attempt of that job's claim
 * @param rank from 0
 * @param size ranks of the gang
 * @param manager where its manager answers: host:port
 * @param secret a ticket: with it one may register for this rank; never logged
 * @param deadlineMillis when it is void; service clock, epoch milliseconds
 * @param fingerprint of the manager's certificate, in 43 characters of base64; empty: its calls are
 *     not encrypted
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

  /** Without the secret: this may stand in a log. */
  @Override
  public String toString() {
    return "rank %d of %d of gang %s at %s for job %s, attempt %d"
        .formatted(rank, size, gang, manager, job, attempt);
  }
}
