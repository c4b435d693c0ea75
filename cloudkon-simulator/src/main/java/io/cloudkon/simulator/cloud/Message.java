package io.cloudkon.simulator.cloud;

/** A message as stored by its queue. */
final class Message<M> {
  final M body;
  final int bytes;
  final long sentAt;
  int receives;

  /** The time of the last receive, in microseconds. */
  long receivedAt;

  /** The time until which it is hidden; 0 if it is visible or gone. */
  long hiddenUntil;

  /** When it became receivable last, in microseconds. */
  long shownAt;

  boolean gone;

  Message(M body, int bytes, long sentAt) {
    this.body = body;
    this.bytes = bytes;
    this.sentAt = sentAt;
  }
}
