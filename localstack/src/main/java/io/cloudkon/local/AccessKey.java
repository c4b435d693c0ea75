package io.cloudkon.local;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The random credentials of one emulator, printed with its endpoints.
 *
 * @param id a prefix and 128 random bits, in letters and digits only, as DynamoDB Local requires
 * @param secret the key with which requests are signed; signatures are not checked, because the
 *     traffic on loopback can be read only by someone who can also read all of the machine's memory
 */
record AccessKey(String id, String secret) {
  private static final SecureRandom RANDOM = new SecureRandom();

  static AccessKey random() {
    return new AccessKey("CKLOCAL" + hex().toUpperCase(Locale.ROOT), hex());
  }

  private static String hex() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Omits the credentials. */
  @Override
  public String toString() {
    return "AccessKey";
  }
}
