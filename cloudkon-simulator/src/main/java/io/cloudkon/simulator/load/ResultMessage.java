package io.cloudkon.simulator.load;

import io.cloudkon.core.model.TaskStatus;

/**
 * Results of some tasks of one bundle. Times are virtual, in microseconds.
 *
 * @param of the bundle, or child
 * @param worker who ran them
 * @param slots that worker's
 * @param attempt the claim's
 * @param nonce of the receive
 * @param ordinals which tasks, ascending
 * @param statuses how each ended
 * @param started when each started; 0 for one that did not
 * @param ended when each ended
 * @param stamps of the bundle on its worker
 * @param bytes the message's size
 * @param stored the key under which they lie in the blob store; empty if they are here
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

  /** When a bundle passed the stages on its worker. */
  public record Stamps(
      long sent,
      long receiveBegun,
      long received,
      long claimBegun,
      long claimed,
      long replyBegun) {}

  /** What is sent instead once they lie in the blob store. */
  public ResultMessage storedUnder(String key) {
    return new ResultMessage(
        of, worker, slots, attempt, nonce, ordinals, statuses, started, ended, stamps, 300, key);
  }

  /** The same as far as so many bytes hold it, where there is no place for all of it. */
  public ResultMessage cut(int most) {
    return new ResultMessage(
        of, worker, slots, attempt, nonce, ordinals, statuses, started, ended, stamps, most, "");
  }

  @Override
  public String toString() {
    return "%d results of %s".formatted(ordinals.length, of);
  }
}
