package io.cloudkon.simulator.cloud;

/** A message as its queue keeps it. */
final class Message<M> {
  final M body;
  final int bytes;
  final long sentAt;
  int receives;

  /** When it was received last, in microseconds. */
  long receivedAt;

  /** Until when it is hidden; 0 while it is visible, and once it is gone. */
  long hiddenUntil;

  boolean gone;

  Message(M body, int bytes, long sentAt) {
    this.body = body;
    this.bytes = bytes;
    this.sentAt = sentAt;
  }
}
