package io.cloudkon.client.plan;

/** The bottleneck that keeps a fleet from being as fast as its slots could be. */
enum Bottleneck {
  /** No significant bottleneck. */
  NONE,
  /** The run takes longer than SQS keeps a message. */
  RETENTION,
  /** Some slots never have a task. */
  FEWER_TASKS_THAN_SLOTS,
  /** One task takes most of the time. */
  LONGEST_TASK,
  /** SQS hands out no more messages before some are deleted. */
  IN_FLIGHT,
  /** DynamoDB refuses writes to the table of claims. */
  TABLE_WRITES,
  /** The client's threads are busy with sending. */
  CLIENT_SENDS,
  /** The client's threads are busy with collecting. */
  CLIENT_COLLECTS,
  /** Slots that get one task fewer than others wait for them. */
  FEW_TASKS_PER_SLOT,
  /** The run is so short that its first and last calls take a large part of it. */
  SHORT_RUN,
  /** The calls for each bundle take long compared with its tasks. */
  CALLS_PER_BUNDLE
}
