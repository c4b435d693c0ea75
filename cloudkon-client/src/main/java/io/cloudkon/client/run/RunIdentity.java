package io.cloudkon.client.run;

import io.cloudkon.core.model.Names;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The identities of a run: its id, its submission and its client.
 *
 * @param run the run's id
 * @param epoch the submission's id
 * @param client this client's id, fresh per process
 * @param host where this client runs, for people: host and process
 * @param responseQueue the queue that its results go to
 */
public record RunIdentity(
    String run, String epoch, String client, String host, String responseQueue) {

  /** A fresh identity for a run of the cluster. */
  public static RunIdentity fresh(String cluster, String run, RandomGenerator random) {
    String client = token(random, 12);
    return new RunIdentity(run, token(random, 8), client, here(), Names.response(cluster, client));
  }

  private static String here() {
    long process = ProcessHandle.current().pid();
    try {
      return "%s, process %d".formatted(InetAddress.getLocalHost().getHostName(), process);
    } catch (UnknownHostException e) {
      return "process " + process;
    }
  }

  /**
   * A run id that does not collide even if thousands of clients start in one second: the time of
   * its start and six random digits and letters.
   */
  public static String randomRun(Instant now, RandomGenerator random) {
    return DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-", Locale.ROOT)
            .withZone(ZoneOffset.UTC)
            .format(now)
        + token(random, 6, Character.MAX_RADIX);
  }

  private static String token(RandomGenerator random, int digits) {
    return token(random, digits, 16);
  }

  private static String token(RandomGenerator random, int digits, int radix) {
    StringBuilder token = new StringBuilder(digits);
    for (int i = 0; i < digits; i++) {
      token.append(Character.forDigit(random.nextInt(radix), radix));
    }
    return token.toString();
  }
}
