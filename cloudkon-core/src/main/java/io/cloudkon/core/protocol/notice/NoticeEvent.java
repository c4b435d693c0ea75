package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/**
 * News for a worker about its machine. An announcement that stands is reported again. What stays
 * announced is told again.
 */
public sealed interface NoticeEvent {

  /**
   * The machine is being taken away.
   *
   * @param atMillis when; service clock, epoch milliseconds; {@link NoticeMachine#NEVER} if nobody
   *     says
   */
  record Interruption(long atMillis) implements NoticeEvent {}

  /** The machine is likely to be taken away. */
  record Rebalance() implements NoticeEvent {}

  /**
   * What maintenance is ahead.
   *
   * @param notBefore when each of it may begin; service clock, epoch milliseconds
   */
  record Maintenance(List<Long> notBefore) implements NoticeEvent {
    public Maintenance {
      notBefore = List.copyOf(notBefore);
    }
  }

  /** The workers, as a look into the registry found them. */
  record Workers(List<WorkerEntry> entries) implements NoticeEvent {
    public Workers {
      entries = List.copyOf(entries);
    }
  }

  /** Time went by. */
  record Tick() implements NoticeEvent {}
}
