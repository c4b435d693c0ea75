package io.cloudkon.core.faults;

/** A promise of the protocol that was not kept. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  Violation(String message, Object... details) {
    super(message.formatted(details));
  }
}
