package io.cloudkon.client.session;

import io.cloudkon.core.error.CloudKonException;

/** The user stopped the client before every result was in: exit code 130. What was sent goes on. */
public final class RunInterruptedException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** Says what is outstanding. */
  public RunInterruptedException(String message) {
    super(message);
  }

  @Override
  public int exitCode() {
    return 130;
  }
}
