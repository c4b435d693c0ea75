package io.cloudkon.simulator.cloud;

/**
 * The settings of the simulated cloud.
 *
 * @param latencies the latencies of calls
 * @param faults the faults
 * @param inFlight the maximum number of messages of a queue in flight (received but not yet
 *     deleted); SQS: 120,000
 * @param retentionMillis how long a message is kept; 14 days
 * @param itemWrites the maximum number of writes per second to one item; DynamoDB: 1,000
 * @param tableWrites the maximum number of write units per second to one table; 0 for no limit.
 *     DynamoDB's on-demand quota is 40,000 unless raised
 * @param disorder the number of oldest messages among which a receive picks; 1 for strict order
 * @param compact whether finished claims are forgotten, so that millions of tasks fit into memory;
 *     not allowed if faults may bring their messages back
 */
public record CloudSettings(
    Latencies latencies,
    FaultSettings faults,
    int inFlight,
    long retentionMillis,
    int itemWrites,
    int tableWrites,
    int disorder,
    boolean compact) {
  /** SQS's limit of messages in flight. */
  public static final int IN_FLIGHT = 120_000;

  private static final long RETENTION = 14 * 24 * 3_600_000L;

  /** DynamoDB's on-demand quota of write units per second and table, unless raised. */
  public static final int TABLE_WRITES = 40_000;

  /** The cloud with AWS's default limits and no faults. */
  public static CloudSettings calm(Latencies latencies) {
    return new CloudSettings(
        latencies, FaultSettings.NONE, IN_FLIGHT, RETENTION, 1000, TABLE_WRITES, 64, true);
  }

  /** A copy with these faults. */
  public CloudSettings with(FaultSettings other) {
    return new CloudSettings(
        latencies, other, inFlight, retentionMillis, itemWrites, tableWrites, disorder, false);
  }

  /** A copy with another limit of a table's writes; 0 for none. */
  public CloudSettings withTableWrites(int limit) {
    return new CloudSettings(
        latencies, faults, inFlight, retentionMillis, itemWrites, limit, disorder, compact);
  }

  /** A copy with another limit of messages in flight. */
  public CloudSettings withInFlight(int limit) {
    return new CloudSettings(
        latencies, faults, limit, retentionMillis, itemWrites, tableWrites, disorder, compact);
  }

  /** A copy in which messages are kept for this time. */
  public CloudSettings withRetentionMillis(long millis) {
    return new CloudSettings(
        latencies, faults, inFlight, millis, itemWrites, tableWrites, disorder, compact);
  }

  /** A copy with another disorder of messages. */
  public CloudSettings withDisorder(int among) {
    return new CloudSettings(
        latencies, faults, inFlight, retentionMillis, itemWrites, tableWrites, among, compact);
  }
}
