package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.Standing;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The link to a gang's manager, as the reports over it have shown it. Used by one heartbeat at a
 * time.
 */
final class ReportLink {
  /** The maximum factor on the timeout, which allows for 24 MiB at 96 KiB/s. */
  private static final int MOST_TIMES = 64;

  private int times = 1;

  /** Ends on their way to the manager; null if there are none. */
  @Nullable Delivery delivery;

  /** Ends on their way to a manager, and its answer. */
  record Delivery(List<GangEvent.Ended> ends, FutureTask<Standing> answer) {}

  /** Whether a report with ends was too slow for it. */
  boolean isSlow() {
    return times > 1;
  }

  /** The factor on the timeout of a report with ends. */
  int times() {
    return times;
  }

  /** Gives the next report with ends twice as much time. */
  void failed() {
    times = Math.min(MOST_TIMES, 2 * times);
  }
}
