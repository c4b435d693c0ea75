package io.cloudkon.simulator.cloud;

/**
 * The cloud as it is simulated.
 *
 * @param latencies how long calls take
 * @param faults what goes wrong
 * @param inFlight messages that one queue lets be received and not deleted at a time; SQS: 120,000
 * @param retentionMillis how long a message is kept; 14 days
 * @param itemWrites writes per second to one item; DynamoDB: 1,000
 * @param tableWrites write units per second to one table; 0 for no limit. DynamoDB's quota on
 *     demand is 40,000 unless raised
 * @param disorder among how many of the oldest messages a receive picks: 1 for none
 * @param compact whether what is over is forgotten, so that millions of tasks fit into memory; not
 *     where faults may bring it up again
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

  /** DynamoDB's quota of write units per second and table, on demand, unless raised. */
  public static final int TABLE_WRITES = 40_000;

  /** As AWS sells it, with nothing going wrong. */
  public static CloudSettings calm(Latencies latencies) {
    return new CloudSettings(
        latencies, FaultSettings.NONE, IN_FLIGHT, RETENTION, 1000, TABLE_WRITES, 64, true);
  }

  /** With these faults. */
  public CloudSettings with(FaultSettings other) {
    return new CloudSettings(
        latencies, other, inFlight, retentionMillis, itemWrites, tableWrites, disorder, false);
  }

  /** With another limit of a table's writes; 0 for none. */
  public CloudSettings withTableWrites(int limit) {
    return new CloudSettings(
        latencies, faults, inFlight, retentionMillis, itemWrites, limit, disorder, compact);
  }

  /** With another limit of messages in flight. */
  public CloudSettings withInFlight(int limit) {
    return new CloudSettings(
        latencies, faults, limit, retentionMillis, itemWrites, tableWrites, disorder, compact);
  }

  /** With messages that are kept for so long. */
  public CloudSettings withRetentionMillis(long millis) {
    return new CloudSettings(
        latencies, faults, inFlight, millis, itemWrites, tableWrites, disorder, compact);
  }

  /** With another order of messages. */
  public CloudSettings withDisorder(int among) {
    return new CloudSettings(
        latencies, faults, inFlight, retentionMillis, itemWrites, tableWrites, among, compact);
  }
}
