package io.cloudkon.client.report;

import io.cloudkon.core.model.ResultBatch;

/**
 * The stamps that the tasks of one bundle share, all in epoch microseconds on the client's clock.
 * Immutable.
 *
 * <p>The constructor puts the stamps in order: a stamp that lies outside its neighbours is moved to
 * the nearer of them. Stamps can be slightly out of order because the offset of two clocks is only
 * estimated, and because answers arrive late (a worker may hold a bundle before the client learns
 * that it was sent). No stage may become negative because of that. Only {@code receiveBegun} and
 * {@code collectBegun} may lie before the stamp that precedes them: long polls begin before there
 * is something to receive.
 *
 * @param submitted when the bundle's first task was taken from the workload
 * @param sendBegun when the send began
 * @param sent when the request queue had accepted it
 * @param receiveBegun when the worker's receive began
 * @param received when the worker had it
 * @param claimBegun when its claim's write began
 * @param claimed when the claim was held
 * @param replyBegun when the send of the results began
 * @param replied when the response queue had accepted them
 * @param collectBegun when the client's receive began
 * @param collected when the client had them
 */
public record BundleTimes(
    long submitted,
    long sendBegun,
    long sent,
    long receiveBegun,
    long received,
    long claimBegun,
    long claimed,
    long replyBegun,
    long replied,
    long collectBegun,
    long collected) {

  public BundleTimes {
    sendBegun = Math.max(sendBegun, submitted);
    collected = Math.max(collected, sendBegun);
    received = Math.clamp(received, sendBegun, collected);
    sent = Math.clamp(sent, sendBegun, received);
    receiveBegun = Math.min(receiveBegun, received);
    claimBegun = Math.clamp(claimBegun, received, collected);
    claimed = Math.clamp(claimed, claimBegun, collected);
    replyBegun = Math.clamp(replyBegun, claimed, collected);
    replied = Math.clamp(replied, replyBegun, collected);
    collectBegun = Math.min(collectBegun, collected);
  }

  /**
   * Combines the client's stamps with those of the worker's message, on the client's clock.
   *
   * @param submitted client's clock, like all but {@code worker}
   * @param sendBegun likewise
   * @param sent likewise
   * @param worker the bundle's stamps on the worker's clock
   * @param offsetMicros the worker's clock minus the client's, see {@link ClockOffsets}
   * @param replied when the response queue accepted the message
   * @param collectBegun when the receive that brought it began
   * @param collected when the client had it
   */
  public static BundleTimes of(
      long submitted,
      long sendBegun,
      long sent,
      ResultBatch.BundleStamps worker,
      long offsetMicros,
      long replied,
      long collectBegun,
      long collected) {
    return new BundleTimes(
        submitted,
        sendBegun,
        sent,
        worker.receiveBegun() - offsetMicros,
        worker.received() - offsetMicros,
        worker.claimBegun() - offsetMicros,
        worker.claimed() - offsetMicros,
        worker.replyBegun() - offsetMicros,
        replied,
        collectBegun,
        collected);
  }

  /**
   * The stamps of tasks that the client itself declares lost or cancelled, without a worker's
   * message. All their time after the send counts as queue time.
   *
   * @param ended when the client decided so
   */
  public static BundleTimes withoutWorker(long submitted, long sendBegun, long sent, long ended) {
    return new BundleTimes(
        submitted, sendBegun, sent, ended, ended, ended, ended, ended, ended, ended, ended);
  }

  /** A task's latency, from submitted to collected, in microseconds. */
  public long latencyMicros() {
    return collected - submitted;
  }
}
