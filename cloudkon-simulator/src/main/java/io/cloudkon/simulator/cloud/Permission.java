package io.cloudkon.simulator.cloud;

import java.util.Set;

/** An action on a resource that a policy may deny. */
public enum Permission {
  SEND_RESULTS("sqs:SendMessage", "Q-response-*", false, Call.RESPONSE_SEND),
  RECEIVE_RESULTS("sqs:ReceiveMessage", "Q-response-*", false, Call.RESPONSE_RECEIVE),
  CREATE_RESPONSE_QUEUES("sqs:CreateQueue", "Q-response-*", false),
  SEND_CHILDREN("sqs:SendMessage", "Q", true, Call.REQUEST_SEND),
  RECEIVE_BUNDLES("sqs:ReceiveMessage", "Q", true, Call.REQUEST_RECEIVE),
  DELETE_BUNDLES("sqs:DeleteMessage", "Q", true, Call.REQUEST_DELETE),
  SEND_DEAD("sqs:SendMessage", "Q-dead", false, Call.REQUEST_SEND),
  WRITE_CLAIMS(
      "dynamodb:UpdateItem",
      "Q-claims",
      true,
      Call.CLAIM_ACQUIRE,
      Call.CLAIM_WRITE,
      Call.CLAIM_SURVIVE),
  READ_CLAIMS("dynamodb:BatchGetItem", "Q-claims", true, Call.CLAIM_READ),
  PUT_OBJECTS("s3:PutObject", "bucket", false, Call.BLOB_PUT),
  READ_OBJECTS("s3:GetObject", "bucket", false, Call.BLOB_GET, Call.BLOB_LIST);

  private static final String ANY = "*";

  private final String action;
  private final String resource;
  private final boolean needed;
  private final Set<Call> calls;

  Permission(String action, String resource, boolean needed, Call... calls) {
    this.action = action;
    this.resource = resource;
    this.needed = needed;
    this.calls = Set.of(calls);
  }

  /** Whether no worker can work without it; a worker that is denied it is sick. */
  public boolean needed() {
    return needed;
  }

  /**
   * Whether the call requires it.
   *
   * @param queue the queue that is called; empty for a table or the bucket
   */
  boolean covers(Call call, String queue) {
    return calls.contains(call) && (queue.isEmpty() || names(queue));
  }

  private boolean names(String queue) {
    return resource.endsWith(ANY)
        ? queue.startsWith(resource.substring(0, resource.length() - ANY.length()))
        : resource.equals(queue);
  }

  /** One of the calls that require it. */
  Call call() {
    return calls.stream().sorted().findFirst().orElseThrow();
  }

  /** The queue that it applies to; empty for a table, the bucket, or several queues. */
  String queue() {
    return resource.endsWith(ANY) || !action.startsWith("sqs:") ? "" : resource;
  }

  @Override
  public String toString() {
    return action + " on " + resource;
  }
}
