package io.cloudkon.hpc.rmi;

/**
 * The credentials of a caller.
 *
 * @param secret the secret in the call
 * @param fingerprint the fingerprint of the certificate whose key the caller has proven to have;
 *     empty if the connection is not encrypted
 */
record Caller(String secret, String fingerprint) {
  /** Without the secret. */
  @Override
  public String toString() {
    return "caller " + fingerprint;
  }
}
