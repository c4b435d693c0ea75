package io.cloudkon.simulator.report;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Takes every result that a client collected, and sums up where its time went. */
public final class Measures {
  private static final long HIGHEST = 30L * 24 * 3_600_000_000L;
  private static final int DIGITS = 3;

  private final Map<PublishedStage, Histogram> stages = new EnumMap<>(PublishedStage.class);
  private final Map<TaskStatus, Long> ends = new EnumMap<>(TaskStatus.class);
  private long firstSend = Long.MAX_VALUE;
  private long lastCollected;
  private long runMicros;
  private long duplicates;

  /** Measures nothing yet. */
  public Measures() {
    for (PublishedStage stage : PublishedStage.values()) {
      stages.put(stage, new Histogram(1, HIGHEST, DIGITS));
    }
  }

  /** A send begins. */
  public void sending(long now) {
    firstSend = Math.min(firstSend, now);
  }

  /**
   * One task's final result.
   *
   * @param of what it came with
   * @param index its place there
   * @param sendBegun when its bundle's first send began
   * @param replied when the response queue had it
   * @param collectBegun when the receive began that brought it
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

  /** A task ended that brought no times with it. */
  public void ended(TaskStatus status, long now) {
    ends.merge(status, 1L, Long::sum);
    lastCollected = Math.max(lastCollected, now);
  }

  /** A result was dropped, as its task had one. */
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

  /** How many tasks ended so. */
  public long count(TaskStatus status) {
    return ends.getOrDefault(status, 0L);
  }

  public long duplicates() {
    return duplicates;
  }

  /** From the begin of the first send to the last result, in microseconds. */
  public long makespanMicros() {
    return Math.max(0, lastCollected - Math.min(firstSend, lastCollected));
  }

  /** The tasks' own time, in microseconds. */
  public long runMicros() {
    return runMicros;
  }
}
