package io.cloudkon.client.run;

import java.util.BitSet;
import java.util.List;

/**
 * A bundle that was sent or is about to be. Its stamps are epoch microseconds on this client's
 * clock.
 *
 * @param sequence its number
 * @param firstOrdinal the ordinal of its first task
 * @param tasks the number of its tasks
 * @param offset where its first task's line starts in the workload
 * @param line that line's number
 * @param keys the keys under which the durations of its tasks are learned; none for sleeps
 * @param sleepMicros the total time of its sleeps
 * @param submitted when its first task was taken from the workload
 * @param sendBegun when its send began; 0 before
 * @param sent when the queue accepted it; 0 before
 * @param ranks the number of ranks of an HPC job, which is one task and goes to the queue of jobs;
 *     0 for a bundle of tasks
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

  /**
   * Whether one of its tasks is in a set; takes as long as it has tasks, however far the next is.
   */
  public boolean hasAny(BitSet ordinals) {
    return !ordinals.get(firstOrdinal, firstOrdinal + tasks).isEmpty();
  }

  /** Whether it is an HPC job. */
  public boolean job() {
    return ranks > 0;
  }

  /** The same bundle, with the time when its send began. */
  public SentBundle begun(long micros) {
    return at(micros, sent);
  }

  /** The same bundle, with the time when the queue accepted it. */
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
