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
 * @param calls by operation: how many, and what is billed
 * @param sqs for calls to SQS
 * @param dynamodb for calls to DynamoDB
 * @param s3 for calls to S3
 * @param instanceSeconds for which each instance is paid
 * @param instances for all of them
 */
record Bill(
    Map<String, Volume> calls,
    double sqs,
    double dynamodb,
    double s3,
    double instanceSeconds,
    double instances) {
  /** EC2 bills by the second, and so many at least. */
  static final long LEAST_SECONDS = 60;

  /** How often a worker writes its entry in {@code Q-workers}, by default. */
  static final long HEARTBEAT_SECONDS = 5;

  /** How long a receive waits where there is nothing. */
  private static final long POLL_SECONDS = 20;

  /** What a simulation's calls and these workers cost. */
  static Bill of(
      Observation seen, WorkloadSize load, int workers, PlanSettings question, Prices prices) {
    double makespan = Math.ceil(seen.makespanSeconds());
    Map<String, Volume> calls = new TreeMap<>(seen.calls());
    double lives = makespan + question.idleSeconds();
    add(calls, "dynamodb.PutItem", workers * (Math.floor(lives / HEARTBEAT_SECONDS) + 1));
    add(calls, "dynamodb.DeleteItem", workers);
    double polls = Math.ceil((double) question.idleSeconds() / POLL_SECONDS);
    add(calls, "sqs.ReceiveMessage", workers * polls);
    if (load.largeTasks() > 0) {
      add(calls, "s3.PutObject", load.largeTasks());
      add(calls, "s3.GetObject", load.largeTasks());
    }
    double paid = Math.max(LEAST_SECONDS, makespan) + question.idleSeconds();
    return new Bill(
        calls,
        cost(calls, "sqs.", prices),
        cost(calls, "dynamodb.", prices),
        cost(calls, "s3.", prices),
        paid,
        workers * paid / 3600 * question.instance().usdPerHour());
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

  /** For all calls. */
  double allCalls() {
    return sqs + dynamodb + s3;
  }

  /** For calls and instances. */
  double total() {
    return allCalls() + instances;
  }
}
