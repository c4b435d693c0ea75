package io.cloudkon.hpc.rmi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The gangs that a worker's endpoint answers to, each with its secret. A gang stands here as long
 * as the worker is its manager, or serves it, or both. Thread safe.
 */
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;

  private final ConcurrentHashMap<String, byte[]> byGang = new ConcurrentHashMap<>();
  private final byte[] nobodys = bytes(fresh());
  private final LongAdder refused = new LongAdder();

  /** A new secret: 256 random bits, in 43 characters. */
  public static String fresh() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * From now on calls for that gang with that secret are answered. A gang keeps its first secret
   * until it is forgotten.
   *
   * @return false: it has another one
   */
  public boolean admit(String gang, String secret) {
    Check.token("gang", gang);
    Check.token("secret", secret);
    byte[] wanted = bytes(secret);
    byte[] standing = byGang.putIfAbsent(gang, wanted);
    return standing == null || MessageDigest.isEqual(standing, wanted);
  }

  /** From now on calls for that gang are refused. */
  public void forget(String gang) {
    byGang.remove(gang);
  }

  /** How many calls came with an unknown gang or a wrong secret. */
  public long refused() {
    return refused.sum();
  }

  /** Takes equally long for an unknown gang and for a wrong secret; counts what it refuses. */
  boolean admits(@Nullable String gang, @Nullable String secret) {
    byte[] wanted = gang == null ? null : byGang.get(gang);
    boolean equal =
        MessageDigest.isEqual(
            wanted == null ? nobodys : wanted, secret == null ? new byte[0] : bytes(secret));
    boolean admitted = equal && wanted != null;
    if (!admitted) {
      refused.increment();
    }
    return admitted;
  }

  private static byte[] bytes(String secret) {
    return secret.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "secrets of " + byGang.size() + " gangs";
  }
}
