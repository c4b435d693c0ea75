package io.cloudkon.simulator.report;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Collects every result that a client received, and sums up where its time went. */
public final class Measures {
  private static final long HIGHEST = 30L * 24 * 3_600_000_000L;
  private static final int DIGITS = 3;

  private final Map<PublishedStage, Histogram> stages = new EnumMap<>(PublishedStage.class);
  private final Map<TaskStatus, Long> ends = new EnumMap<>(TaskStatus.class);
  private long firstSend = Long.MAX_VALUE;
  private long lastCollected;
  private long runMicros;
  private long duplicates;

  /** Creates empty measures. */
  public Measures() {
    for (PublishedStage stage : PublishedStage.values()) {
      stages.put(stage, new Histogram(1, HIGHEST, DIGITS));
    }
  }

  /** Records the start of a send. */
  public void sending(long now) {
    firstSend = Math.min(firstSend, now);
  }

  /**
   * Records a task's final result.
   *
   * @param of the message that brought it
   * @param index its index in the message
   * @param sendBegun when its bundle's first send began
   * @param replied when the response queue received it
   * @param collectBegun when the receive that brought it began
   * @param now when it was collected
   */
  public void took(
      ResultMessage of, int index, long sendBegun, long replied, long collectBegun, long now) {
    ended(of.statuses()[index], now);
    ResultMessage.Stamps stamps = of.stamps();
    long run = of.ended()[index] - of.started()[index];
    runMicros += run;
    add(PublishedStage.RUN, run);
    add(PublishedStage.SEND, stamps.sent() - sendBegun);
    add(PublishedStage.QUEUE, stamps.receiveBegun() - stamps.sent());
    add(PublishedStage.RECEIVE, stamps.received() - Math.max(stamps.sent(), stamps.receiveBegun()));
    add(PublishedStage.CLAIM, stamps.claimed() - stamps.claimBegun());
    add(PublishedStage.WORKER, stamps.replyBegun() - stamps.received());
    add(PublishedStage.REPLY, replied - stamps.replyBegun());
    add(PublishedStage.RESULT_QUEUE, collectBegun - replied);
    add(PublishedStage.COLLECT, now - Math.max(replied, collectBegun));
    add(PublishedStage.TOTAL, now - sendBegun);
  }

  /** Records a task that ended without times. */
  public void ended(TaskStatus status, long now) {
    ends.merge(status, 1L, Long::sum);
    lastCollected = Math.max(lastCollected, now);
  }

  /** Counts a result that was dropped because its task already had one. */
  public void duplicate() {
    duplicates++;
  }

  private void add(PublishedStage stage, long micros) {
    histogram(stage).recordValue(Math.clamp(micros, 0, HIGHEST));
  }

  /** One stage's times, in microseconds. */
  public Histogram histogram(PublishedStage stage) {
    Histogram histogram = stages.get(stage);
    if (histogram == null) {
      throw new IllegalStateException("no times of " + stage);
    }
    return histogram;
  }

  /** The number of tasks that ended with this status. */
  public long count(TaskStatus status) {
    return ends.getOrDefault(status, 0L);
  }

  public long duplicates() {
    return duplicates;
  }

  /** The time from the start of the first send to the last result, in microseconds. */
  public long makespanMicros() {
    return Math.max(0, lastCollected - Math.min(firstSend, lastCollected));
  }

  /** The total run time of the tasks, in microseconds. */
  public long runMicros() {
    return runMicros;
  }
}
