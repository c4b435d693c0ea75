package io.cloudkon.simulator.report;

/** The stages of a task's time, as defined by the published latency figures. */
public enum PublishedStage {
  /** From the start of the send until the request queue has the task. */
  SEND,
  /** From then until a worker asks for it. */
  QUEUE,
  /** From then until a worker has it. */
  RECEIVE,
  /** The acquisition of the claim. */
  CLAIM,
  /**
   * From the arrival at a worker to the start of the reply: the claim, other tasks, and the task's
   * own run.
   */
  WORKER,
  /** The task's own run. */
  RUN,
  /** From the start of the reply until the response queue has the result. */
  REPLY,
  /** From then until the client asks for it. */
  RESULT_QUEUE,
  /** From then until the client has it. */
  COLLECT,
  /** From the start of the send until the client has the result. */
  TOTAL
}
