package io.cloudkon.worker.input;

import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.worker.execute.StartProbe;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An input of a task cannot be obtained: the task fails, and the message says why. */
public final class InputException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean lasting;
  private final transient @Nullable Suspicion suspicion;

  /**
   * A suspicion that the worker is the cause, and not the task.
   *
   * @param probe repeats what failed
   */
  public record Suspicion(Sickness sickness, StartProbe probe) {}

  /** A failure that may not occur the next time. */
  InputException(String message, @Nullable Throwable cause) {
    this(message, cause, false, null);
  }

  private InputException(
      String message, @Nullable Throwable cause, boolean lasting, @Nullable Suspicion suspicion) {
    super(message, cause);
    this.lasting = lasting;
    this.suspicion = suspicion;
  }

  /** A lasting failure: the object under the key will never be the expected one. */
  static InputException lasting(String message) {
    return new InputException(message, null, true, null);
  }

  /** A failure that another worker may not have. */
  static InputException suspected(String message, Throwable cause, Suspicion suspicion) {
    return new InputException(message, cause, false, suspicion);
  }

  /** The suspicion that the worker is the cause; empty if there is none. */
  public Optional<Suspicion> suspicion() {
    return Optional.ofNullable(suspicion);
  }

  /** Whether every other try would fail in the same way. */
  public boolean lasting() {
    return lasting;
  }

  /** The reason why the task fails, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
