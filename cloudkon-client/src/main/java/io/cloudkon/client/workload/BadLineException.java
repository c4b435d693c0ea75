package io.cloudkon.client.workload;

import io.cloudkon.core.error.UsageException;

/**
 * A line that is not a task: what is wrong and what was expected. The reader of the line knows the
 * file and the line number, and adds them for the user's message.
 */
final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean lackOfMemory;

  BadLineException(String problem, String remedy) {
    this(problem, remedy, false);
  }

  private BadLineException(String problem, String remedy, boolean lackOfMemory) {
    super(problem + "; " + remedy);
    this.lackOfMemory = lackOfMemory;
  }

  /** A line that is too long for the available memory. */
  static BadLineException lackOfMemory() {
    return new BadLineException(
        "the line needs more memory than this client may use, %,d MiB"
            .formatted(Runtime.getRuntime().maxMemory() >> 20),
        "expected less, or more memory: about eight times the line, with JAVA_OPTS=-Xmx2g",
        true);
  }

  /** Whether the line may be a valid task that did not fit into memory. */
  boolean isLackOfMemory() {
    return lackOfMemory;
  }

  /** Skips the stack trace: only the message is used. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }

  /** The user's message: file, line, what is wrong, what was expected. */
  UsageException at(String file, long line) {
    return new UsageException(file + ":" + line + ": " + getMessage(), this);
  }
}
