package io.cloudkon.hpc.rmi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets that are derived from another secret and a purpose, by HMAC-SHA256. */
final class Derived {
  private static final String ALGORITHM = "HmacSHA256";
  private static final char NUMBER_ENDS = '.';

  private Derived() {}

  /** The derived secret, in 43 characters of base64. */
  static String of(String secret, String purpose) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(purpose.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** The derived secret for a number, with which its text begins. */
  static String of(String secret, String purpose, int number) {
    return Integer.toString(number) + NUMBER_ENDS + of(secret, purpose + ' ' + number);
  }

  /**
   * The number for which {@link #of(String, String, int)} derived the given secret; -1 if it did
   * not.
   */
  static int number(String secret, String purpose, String given) {
    int end = given.indexOf(NUMBER_ENDS);
    if (end < 1
        || end > 4
        || !given.substring(0, end).chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int number = Integer.parseInt(given.substring(0, end));
    return equal(given, of(secret, purpose, number)) ? number : -1;
  }

  /** Compares two secrets in constant time. */
  static boolean equal(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }
}
