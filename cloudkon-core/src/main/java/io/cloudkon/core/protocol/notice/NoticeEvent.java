package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/**
 * Information for a worker about its machine. An announcement is reported again as long as it is
 * valid.
 */
public sealed interface NoticeEvent {

  /**
   * The machine is being reclaimed.
   *
   * @param atMillis when; service clock, epoch milliseconds; {@link NoticeMachine#NEVER} if unknown
   */
  record Interruption(long atMillis) implements NoticeEvent {}

  /** The machine is likely to be reclaimed. */
  record Rebalance() implements NoticeEvent {}

  /**
   * The scheduled maintenance.
   *
   * @param notBefore the earliest start of each event; service clock, epoch milliseconds
   */
  record Maintenance(List<Long> notBefore) implements NoticeEvent {
    public Maintenance {
      notBefore = List.copyOf(notBefore);
    }
  }

  /** The workers in the registry. */
  record Workers(List<WorkerEntry> entries) implements NoticeEvent {
    public Workers {
      entries = List.copyOf(entries);
    }
  }

  /** Time has passed. */
  record Tick() implements NoticeEvent {}
}
