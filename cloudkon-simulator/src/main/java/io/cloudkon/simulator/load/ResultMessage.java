package io.cloudkon.simulator.load;

import io.cloudkon.core.model.TaskStatus;

/**
 * Results of some tasks of one bundle. Times are virtual, in microseconds.
 *
 * @param of the bundle or child
 * @param worker the worker that ran them
 * @param slots the worker's number of slots
 * @param attempt the attempt of the claim
 * @param nonce the nonce of the receive
 * @param ordinals the tasks, ascending
 * @param statuses the status of each
 * @param started when each started; 0 if it did not start
 * @param ended when each ended
 * @param stamps the bundle's times on its worker
 * @param bytes the message's size
 * @param stored the key under which the results lie in the blob store; empty if they are in the
 *     message
 */
public record ResultMessage(
    Request of,
    String worker,
    int slots,
    int attempt,
    String nonce,
    int[] ordinals,
    TaskStatus[] statuses,
    long[] started,
    long[] ended,
    Stamps stamps,
    int bytes,
    String stored) {

  /** The times at which a bundle passed the stages on its worker. */
  public record Stamps(
      long sent,
      long receiveBegun,
      long received,
      long claimBegun,
      long claimed,
      long replyBegun) {}

  /** The message that is sent instead when the results lie in the blob store. */
  public ResultMessage storedUnder(String key) {
    return new ResultMessage(
        of, worker, slots, attempt, nonce, ordinals, statuses, started, ended, stamps, 300, key);
  }

  /** A copy cut to this number of bytes, for when no place can hold the whole. */
  public ResultMessage cut(int most) {
    return new ResultMessage(
        of, worker, slots, attempt, nonce, ordinals, statuses, started, ended, stamps, most, "");
  }

  @Override
  public String toString() {
    return "%d results of %s".formatted(ordinals.length, of);
  }
}
