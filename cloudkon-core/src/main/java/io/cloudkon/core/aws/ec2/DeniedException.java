package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.error.CloudKonException;

/**
 * Signals that EC2 does not allow a call; the message names action and resource as far as EC2
 * reports them.
 */
public final class DeniedException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  DeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
