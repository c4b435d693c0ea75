package io.cloudkon.core.protocol.notice;

/** An action to take about an announcement. */
public sealed interface NoticeEffect {

  /** Show this notice in the worker's entry from now on. */
  record Announce(Notice notice) implements NoticeEffect {}

  /** Read the registry; answered by {@link NoticeEvent.Workers}, or never. */
  record LookForReplacement() implements NoticeEffect {}

  /**
   * Drain. This effect is repeated if there is less time than expected.
   *
   * @param withinMillis how long running tasks may continue, but no longer than the drain timeout
   */
  record Drain(Notice why, long withinMillis) implements NoticeEffect {}
}
