package io.cloudkon.simulator.cloud;

/**
 * A message as it was received.
 *
 * @param message which
 * @param receives how often it was received, this time included; with the message, its handle
 */
public record Delivery<M>(Message<M> message, int receives) {
  /** What it says. */
  public M body() {
    return message.body;
  }

  /** When it was sent, in microseconds. */
  public long sentAt() {
    return message.sentAt;
  }
}
