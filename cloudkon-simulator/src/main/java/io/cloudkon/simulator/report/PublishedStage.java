package io.cloudkon.simulator.report;

/** The stages of a task's time, as the published latency figures have them. */
public enum PublishedStage {
  /** From the begin of the send until the request queue has it. */
  SEND,
  /** From there until a worker asks for it. */
  QUEUE,
  /** From there until a worker has it. */
  RECEIVE,
  /** The acquisition of its claim. */
  CLAIM,
  /**
   * From a worker's having it to the begin of the reply: the claim, other tasks, and its own run.
   */
  WORKER,
  /** Its own run. */
  RUN,
  /** From the begin of the reply until the response queue has it. */
  REPLY,
  /** From there until the client asks for it. */
  RESULT_QUEUE,
  /** From there until the client has it. */
  COLLECT,
  /** From the begin of the send until the client has its result. */
  TOTAL
}
