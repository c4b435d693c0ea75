package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A run of a figure.
 *
 * @param tasks the number of tasks, all of which succeeded
 * @param bundles the number of bundles that they were sent in
 * @param seconds from the first send to the last result
 * @param report the client's report
 */
record FigureRun(int tasks, int bundles, double seconds, JsonNode report) {

  double tasksPerSecond() {
    return tasks / seconds;
  }

  /** The number of SQS and DynamoDB calls of client and workers. */
  double calls() {
    double sum = 0;
    for (String service : new String[] {"sqs", "dynamodb"}) {
      for (JsonNode count : report.path("calls").path(service)) {
        sum += count.asDouble();
      }
    }
    return sum;
  }
}
