package io.cloudkon.client.workload;

import io.cloudkon.core.error.UsageException;

/**
 * A line that is no task: what is wrong and what was expected. Its reader knows the file and the
 * line number and makes the user's message of it.
 */
final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  BadLineException(String problem, String remedy) {
    super(problem + "; " + remedy);
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
