package io.cloudkon.core.protocol.table;

/**
 * Signals a trigger that the life cycle's table does not declare for the state. This is a bug in
 * the caller, never an external event.
 */
public final class IllegalTransitionException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  IllegalTransitionException(String table, Enum<?> from, Enum<?> trigger) {
    super("%s: %s is not allowed in state %s".formatted(table, trigger, from));
  }
}
