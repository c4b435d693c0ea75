package io.cloudkon.core.memory.faults;

/**
 * What is called on one request queue: each has operations of its own, so that a plan can tell them
 * apart.
 */
record QueueOperations(
    Operation send, Operation receive, Operation delete, Operation visibility, Operation depth) {
  static final QueueOperations REQUESTS =
      new QueueOperations(
          Operation.REQUEST_SEND,
          Operation.REQUEST_RECEIVE,
          Operation.REQUEST_DELETE,
          Operation.REQUEST_VISIBILITY,
          Operation.REQUEST_DEPTH);
  static final QueueOperations JOBS =
      new QueueOperations(
          Operation.JOB_SEND,
          Operation.JOB_RECEIVE,
          Operation.JOB_DELETE,
          Operation.JOB_VISIBILITY,
          Operation.JOB_DEPTH);
  static final QueueOperations RANKS =
      new QueueOperations(
          Operation.RANK_SEND,
          Operation.RANK_RECEIVE,
          Operation.RANK_DELETE,
          Operation.RANK_VISIBILITY,
          Operation.RANK_DEPTH);

  /** Whose operations they are. */
  Port port() {
    return send.port();
  }
}
