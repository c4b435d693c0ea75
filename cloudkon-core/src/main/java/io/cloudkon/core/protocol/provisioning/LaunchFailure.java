package io.cloudkon.core.protocol.provisioning;

/**
 * A reason for which a launched worker was of no use; the launcher's own refusals have codes of
 * their own.
 */
enum LaunchFailure {
  /** Its instance ended before it registered. */
  ENDED("ended-before-registering", "a worker ended before it registered"),
  /** It did not register within the boot timeout. */
  BOOT_TIMEOUT("boot-timeout", "a worker did not register within the boot timeout"),
  /** It registered, and ended without a task though work was there. */
  FUTILE("no-task-done", "a worker ended without a task done");

  private final String reason;
  private final String words;

  LaunchFailure(String reason, String words) {
    this.reason = reason;
    this.words = words;
  }

  /** As metrics and {@code status} name it. */
  String reason() {
    return reason;
  }

  /** For people: a clause. */
  String words() {
    return words;
  }
}
