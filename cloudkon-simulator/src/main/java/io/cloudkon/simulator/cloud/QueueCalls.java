package io.cloudkon.simulator.cloud;

/** The calls to a queue under which it is billed. */
enum QueueCalls {
  REQUESTS(Call.REQUEST_SEND, Call.REQUEST_RECEIVE, Call.REQUEST_DELETE, Call.REQUEST_VISIBILITY),
  RESPONSES(
      Call.RESPONSE_SEND, Call.RESPONSE_RECEIVE, Call.RESPONSE_DELETE, Call.REQUEST_VISIBILITY);

  private static final int UNIT_BYTES = 64 * 1024;

  final Call send;
  final Call receive;
  final Call delete;
  final Call visibility;

  QueueCalls(Call send, Call receive, Call delete, Call visibility) {
    this.send = send;
    this.receive = receive;
    this.delete = delete;
    this.visibility = visibility;
  }

  /** The billing units of a call with this many bytes. */
  static long units(long bytes) {
    return Math.max(1, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
  }
}
