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
   * That the worker is to blame, and not the task.
   *
   * @param probe tries what failed
   */
  public record Suspicion(Sickness sickness, StartProbe probe) {}

  /** Something that may be otherwise the next time. */
  InputException(String message, @Nullable Throwable cause) {
    this(message, cause, false, null);
  }

  private InputException(
      String message, @Nullable Throwable cause, boolean lasting, @Nullable Suspicion suspicion) {
    super(message, cause);
    this.lasting = lasting;
    this.suspicion = suspicion;
  }

  /** What is stored under the key will never be what is wanted. */
  static InputException lasting(String message) {
    return new InputException(message, null, true, null);
  }

  /** Perhaps another worker can have it. */
  static InputException suspected(String message, Throwable cause, Suspicion suspicion) {
    return new InputException(message, cause, false, suspicion);
  }

  /** Why the worker may be to blame; empty if it is not. */
  public Optional<Suspicion> suspicion() {
    return Optional.ofNullable(suspicion);
  }

  boolean lasting() {
    return lasting;
  }

  /** Why the task fails, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
