package io.cloudkon.simulator.cloud;

/**
 * A received message.
 *
 * @param message the message
 * @param receives the number of receives of the message, this one included; identifies the receipt
 *     handle
 */
public record Delivery<M>(Message<M> message, int receives) {
  /** The message's body. */
  public M body() {
    return message.body;
  }

  /** The time at which the message was sent, in microseconds. */
  public long sentAt() {
    return message.sentAt;
  }
}
