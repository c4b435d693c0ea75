package io.cloudkon.hpc.rmi;

/**
 * By what somebody that calls is known.
 *
 * @param secret the one that it brought
 * @param fingerprint of the certificate that it has proven to have the key of; empty if the
 *     connection is not encrypted
 */
record Caller(String secret, String fingerprint) {
  /** Without the secret. */
  @Override
  public String toString() {
    return "caller " + fingerprint;
  }
}
