package io.cloudkon.simulator.cloud;

import java.util.EnumMap;
import java.util.Map;

/**
 * The latencies of calls, by service.
 *
 * @param sqs of a call that sends, deletes or changes visibility
 * @param receive of a receive that finds messages; one that waits takes the wait plus half of this
 * @param dynamo of a read or write of one item
 * @param s3 of an object's put or get
 */
public record Latencies(Latency sqs, Latency receive, Latency dynamo, Latency s3) {
  /**
   * Assumed latencies within one region: SQS 8 ms at the median and 30 ms at the 99th percentile,
   * DynamoDB 5 ms and 15 ms, S3 30 ms and 120 ms. These are not measured; {@code --latency} sets
   * others.
   */
  public static final Latencies TODAY =
      new Latencies(
          Latency.millis(8, 30),
          Latency.millis(8, 30),
          Latency.millis(5, 15),
          Latency.millis(30, 120));

  /** The same latency for every call. */
  public static Latencies all(Latency latency) {
    return new Latencies(latency, latency, latency, latency);
  }

  /** The latency of each kind of call. */
  Map<Call, Latency> byCall() {
    Map<Call, Latency> all = new EnumMap<>(Call.class);
    for (Call call : Call.values()) {
      all.put(call, of(call));
    }
    return all;
  }

  private Latency of(Call call) {
    return switch (call) {
      case REQUEST_RECEIVE, RESPONSE_RECEIVE -> receive;
      case REQUEST_SEND,
          REQUEST_DELETE,
          REQUEST_VISIBILITY,
          RESPONSE_SEND,
          RESPONSE_DELETE,
          DEPTH_READ ->
          sqs;
      case CLAIM_ACQUIRE,
          CLAIM_WRITE,
          CLAIM_SURVIVE,
          CLAIM_READ,
          RUN_WRITE,
          RUN_READ,
          RUN_LIST,
          LEDGER_WRITE,
          LEDGER_READ,
          WORKER_WRITE,
          WORKER_LIST,
          DECISION_WRITE,
          DECISION_READ ->
          dynamo;
      // EC2 takes about a second for a launch, a table only milliseconds.
      case LAUNCH, TERMINATE -> new Latency(1_000_000 + dynamo.medianMicros(), dynamo.sigma());
      case INSTANCE_LIST -> new Latency(100_000 + dynamo.medianMicros(), dynamo.sigma());
      // Calls within one zone take about a tenth of a service call.
      case RMI -> new Latency(dynamo.medianMicros() / 10, dynamo.sigma());
      case BLOB_PUT, BLOB_GET, BLOB_LIST, BLOB_DELETE -> s3;
    };
  }
}
