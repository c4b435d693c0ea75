package io.cloudkon.client.workload;

import io.cloudkon.core.error.UsageException;

/**
 * A line that is no task: what is wrong and what was expected. Its reader knows the file and the
 * line number and makes the user's message of it.
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

  /** A line that is longer than there is memory for. */
  static BadLineException lackOfMemory() {
    return new BadLineException(
        "the line needs more memory than this client may take, %,d MiB"
            .formatted(Runtime.getRuntime().maxMemory() >> 20),
        "expected less, or more memory: about eight times the line, by JAVA_OPTS=-Xmx2g",
        true);
  }

  /** Whether the line may well be a task, but could not be held. */
  boolean isLackOfMemory() {
    return lackOfMemory;
  }

  /** The message alone is used: a stack trace would only cost time. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }

  /** The user's message: file, line, what is wrong, what was expected. */
  UsageException at(String file, long line) {
    return new UsageException(file + ":" + line + ": " + getMessage(), this);
  }
}
