package io.cloudkon.core.protocol.notice;

/** An action to take about an announcement. */
public sealed interface NoticeEffect {

  /** From now on the worker's entry says this. */
  record Announce(Notice notice) implements NoticeEffect {}

  /** Look into the registry; answered by {@link NoticeEvent.Workers}, or never. */
  record LookForReplacement() implements NoticeEffect {}

  /**
   * Drain. It comes again if there is less time than was thought.
   *
   * @param withinMillis what runs may go on for so long, and no longer than the drain timeout
   */
  record Drain(Notice why, long withinMillis) implements NoticeEffect {}
}
