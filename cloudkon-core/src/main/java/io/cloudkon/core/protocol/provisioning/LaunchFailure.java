package io.cloudkon.core.protocol.provisioning;

/**
 * The reason why a launched worker was of no use; refusals of the launcher have their own codes.
 */
enum LaunchFailure {
  /** Its instance ended before it registered. */
  ENDED("ended-before-registering", "a worker ended before it registered"),
  /** It did not register within the boot timeout. */
  BOOT_TIMEOUT("boot-timeout", "a worker did not register within the boot timeout"),
  /** It registered and ended without a task although there was work. */
  FUTILE("no-task-done", "a worker ended without completing a task");

  private final String reason;
  private final String words;

  LaunchFailure(String reason, String words) {
    this.reason = reason;
    this.words = words;
  }

  /** The name in metrics and {@code status}. */
  String reason() {
    return reason;
  }

  /** A clause for display. */
  String words() {
    return words;
  }
}
