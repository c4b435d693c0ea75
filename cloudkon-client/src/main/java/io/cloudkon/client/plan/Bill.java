package io.cloudkon.client.plan;

import io.cloudkon.client.plan.Observation.Volume;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.price.Prices;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The price of a fleet's run, in USD. Immutable.
 *
 * @param calls the number of calls and the billed units, by operation
 * @param sqs the price of calls to SQS
 * @param dynamodb the price of calls to DynamoDB
 * @param s3 the price of calls to S3
 * @param instanceSeconds the time for which each instance is billed
 * @param instances the price of all instances
 */
record Bill(
    Map<String, Volume> calls,
    double sqs,
    double dynamodb,
    double s3,
    double instanceSeconds,
    double instances) {
  /** The minimum that EC2 bills, which it otherwise does by the second. */
  static final long LEAST_SECONDS = 60;

  /** The interval at which a worker writes its entry in {@code Q-workers}, by default. */
  static final long HEARTBEAT_SECONDS = 5;

  /** The time for which a receive waits if there is nothing. */
  private static final long POLL_SECONDS = 20;

  /** The price of a simulation's calls and of these workers. */
  static Bill of(
      Observation seen, WorkloadSize load, int workers, PlanSettings question, Prices prices) {
    double makespan = Math.ceil(seen.makespanSeconds());
    Map<String, Volume> calls = new TreeMap<>(seen.calls());
    // A worker ends when it has been idle for that long, but not before the minimum that is billed.
    double lives = Math.max(LEAST_SECONDS, makespan + question.idleSeconds());
    add(calls, "dynamodb.PutItem", workers * (Math.floor(lives / HEARTBEAT_SECONDS) + 1));
    add(calls, "dynamodb.DeleteItem", workers);
    double polls = Math.ceil((lives - makespan) / POLL_SECONDS);
    add(calls, "sqs.ReceiveMessage", workers * polls);
    if (load.largeTasks() > 0) {
      add(calls, "s3.PutObject", load.largeTasks());
      add(calls, "s3.GetObject", load.largeTasks());
    }
    return new Bill(
        calls,
        cost(calls, "sqs.", prices),
        cost(calls, "dynamodb.", prices),
        cost(calls, "s3.", prices),
        lives,
        workers * lives / 3600 * question.instance().usdPerHour());
  }

  private static void add(Map<String, Volume> calls, String operation, double count) {
    if (count > 0) {
      calls.merge(operation, new Volume(count, count), Volume::plus);
    }
  }

  private static double cost(Map<String, Volume> calls, String service, Prices prices) {
    List<Calls> its =
        calls.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(service))
            .map(entry ->
                new Calls(
                    entry.getKey(), Math.round(entry.getValue().count()), entry.getValue().units()))
            .toList();
    return prices.cost(its);
  }

  /** The price of all calls. */
  double allCalls() {
    return sqs + dynamodb + s3;
  }

  /** The price of calls and instances. */
  double total() {
    return allCalls() + instances;
  }
}
