package io.cloudkon.client.report;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** How the gangs of HPC jobs fared: microseconds at three digits. Not thread safe. */
final class GangTimes {
  private static final int DIGITS = 3;

  private final Histogram waited = new Histogram(DIGITS);
  private final Histogram starting = new Histogram(DIGITS);
  private final Histogram ran = new Histogram(DIGITS);

  /** One more job. */
  void accept(StageStamps job) {
    waited.recordValue(Stage.AHEAD.micros(job));
    starting.recordValue(Stage.WAIT.micros(job));
    ran.recordValue(Stage.RUN.micros(job));
  }

  /** Null if there was none. */
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
