package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;

/**
 * Bounds of the calls between workers.
 *
 * @param connectMillis the timeout for making a connection, in milliseconds; default 1000
 * @param answerMillis the timeout for the answer after that, in milliseconds; default 2000
 * @param bytesPerSecond the minimum transfer rate of a large payload, by which the timeout of its
 *     call is extended; default 8 MiB
 * @param arrayBytes the largest byte array in a call; default 256 MiB
 * @param callBytes the largest call, in bytes; default the maximum size of the three outputs of one
 *     rank, plus 1 MiB
 * @param idleMillis how long a connection may be idle before the called side closes it, in
 *     milliseconds; longer than the 15 s for which the caller keeps it; default 30000
 * @param connections the maximum number of open connections to one endpoint; further ones are
 *     closed at once; default 4096
 * @param strangers how many connections one peer may have over which no call was admitted yet;
 *     default 128
 * @param admissionMillis how long a connection may be open before a call was admitted, in
 *     milliseconds; default 5000
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

  /** Checks all components. */
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

  /** These settings with other timeouts for a call. */
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

  /** These settings with other limits for connections over which no call was admitted yet. */
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

  /** The total timeout of a call with a payload of that many bytes, in milliseconds. */
  long callMillis(long payload) {
    return connectMillis + answerMillis + payload * 1000 / bytesPerSecond;
  }
}
