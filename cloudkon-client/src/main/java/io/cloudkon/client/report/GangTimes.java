package io.cloudkon.client.report;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of the gangs of HPC jobs, in microseconds with three significant digits. Not thread
 * safe.
 */
final class GangTimes {
  private static final int DIGITS = 3;

  private final Histogram waited = new Histogram(DIGITS);
  private final Histogram starting = new Histogram(DIGITS);
  private final Histogram ran = new Histogram(DIGITS);

  /** Adds a job. */
  void accept(StageStamps job) {
    waited.recordValue(Stage.AHEAD.micros(job));
    starting.recordValue(Stage.WAIT.micros(job));
    ran.recordValue(Stage.RUN.micros(job));
  }

  /** The times of the gangs; null if there were none. */
  RunReport.@Nullable Gangs gangs() {
    return waited.getTotalCount() == 0
        ? null
        : new RunReport.Gangs(
            waited.getTotalCount(),
            StageTimes.latency(waited),
            StageTimes.latency(starting),
            StageTimes.latency(ran));
  }
}
