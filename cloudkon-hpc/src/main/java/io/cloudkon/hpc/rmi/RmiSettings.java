package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;

/**
 * Bounds of the calls between workers.
 *
 * @param connectMillis how long a connection may take; default 1000
 * @param answerMillis how long an answer may take, after that; default 2000
 * @param bytesPerSecond how fast a large payload has to go at least: its call may take that much
 *     longer; default 8 MiB
 * @param arrayBytes the largest byte array in a call; default 256 MiB
 * @param callBytes the largest call; default what the three outputs of one rank may have, and 1 MiB
 * @param idleMillis after how long without a byte a connection is closed by the side that is
 *     called, longer than the 15 s that the caller keeps it; default 30000
 * @param connections how many may be open to one endpoint: more are closed at once; default 4096
 * @param strangers how many of them one peer may have over which no call was admitted yet; default
 *     128
 * @param admissionMillis how long a connection may be open before a call was admitted; default 5000
 */
public record RmiSettings(
    int connectMillis,
    int answerMillis,
    long bytesPerSecond,
    int arrayBytes,
    long callBytes,
    int idleMillis,
    int connections,
    int strangers,
    int admissionMillis) {
  private static final int MIB = 1024 * 1024;

  /** Checks each. */
  public RmiSettings {
    Check.that(connectMillis > 0 && answerMillis > 0, "times above 0 ms");
    Check.that(bytesPerSecond > 0, "bytes per second above 0");
    Check.that(arrayBytes > 0 && callBytes >= arrayBytes, "a call no smaller than an array");
    Check.that(idleMillis > 0 && connections > 0, "idle time and connections above 0");
    Check.that(strangers > 0 && admissionMillis > 0, "strangers and their time above 0");
  }

  /** All defaults. */
  public static RmiSettings defaults() {
    return new RmiSettings(
        1000,
        2000,
        8L * MIB,
        Limits.CAPTURE_BYTES,
        3L * Limits.CAPTURE_BYTES + MIB,
        30_000,
        4096,
        128,
        5_000);
  }

  /** These, with other times for a call. */
  public RmiSettings withTimeouts(int connect, int answer) {
    return new RmiSettings(
        connect,
        answer,
        bytesPerSecond,
        arrayBytes,
        callBytes,
        idleMillis,
        connections,
        strangers,
        admissionMillis);
  }

  /** These, with other bounds for connections over which no call was admitted yet. */
  public RmiSettings withStrangers(int most, int millis) {
    return new RmiSettings(
        connectMillis,
        answerMillis,
        bytesPerSecond,
        arrayBytes,
        callBytes,
        idleMillis,
        connections,
        most,
        millis);
  }

  /** How long a call with that much payload may take as a whole, milliseconds. */
  long callMillis(long payload) {
    return connectMillis + answerMillis + payload * 1000 / bytesPerSecond;
  }
}
