package io.cloudkon.examples.demo;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;

/** Something that the demo shows did not come out right: exit code 1. */
final class WrongException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  WrongException(String message) {
    super(message);
  }

  @Override
  public int exitCode() {
    return ExitCodes.SOME_FAILED;
  }
}
