package io.cloudkon.local;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The credentials of one emulator, random and printed with its endpoints.
 *
 * @param id 128 random bits behind a prefix, letters and digits only, as DynamoDB Local wants
 * @param secret what requests are signed with; nobody checks signatures, which on loopback only who
 *     reads all of the machine's memory could copy anyway
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

  /** Not with what is secret. */
  @Override
  public String toString() {
    return "AccessKey";
  }
}
