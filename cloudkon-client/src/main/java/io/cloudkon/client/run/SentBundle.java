package io.cloudkon.client.run;

import java.util.List;

/**
 * A bundle that is on its way or about to be. Stamps in epoch microseconds of this client's clock.
 *
 * @param sequence its number
 * @param firstOrdinal its first task
 * @param tasks how many
 * @param offset where its first task's line starts in the workload
 * @param line that line's number
 * @param keys what its tasks are learned under; sleeps are not among them
 * @param sleepMicros how long its sleeps take together
 * @param submitted when its first task was taken from the workload
 * @param sendBegun when its send began; 0 before
 * @param sent when the queue accepted it; 0 before
 * @param ranks of an HPC job: one task, which goes to the queue of jobs; 0 of a bundle of tasks
 */
public record SentBundle(
    int sequence,
    int firstOrdinal,
    int tasks,
    long offset,
    long line,
    List<String> keys,
    long sleepMicros,
    long submitted,
    long sendBegun,
    long sent,
    int ranks) {

  /** A bundle of tasks. */
  public SentBundle(
      int sequence,
      int firstOrdinal,
      int tasks,
      long offset,
      long line,
      List<String> keys,
      long sleepMicros,
      long submitted,
      long sendBegun,
      long sent) {
    this(
        sequence,
        firstOrdinal,
        tasks,
        offset,
        line,
        keys,
        sleepMicros,
        submitted,
        sendBegun,
        sent,
        0);
  }

  /** Whether it is an HPC job. */
  public boolean job() {
    return ranks > 0;
  }

  /** The same, as its send begins. */
  public SentBundle begun(long micros) {
    return at(micros, sent);
  }

  /** The same, accepted. */
  public SentBundle accepted(long micros) {
    return at(sendBegun, micros);
  }

  private SentBundle at(long begunMicros, long sentMicros) {
    return new SentBundle(
        sequence,
        firstOrdinal,
        tasks,
        offset,
        line,
        keys,
        sleepMicros,
        submitted,
        begunMicros,
        sentMicros,
        ranks);
  }
}
