package io.cloudkon.simulator.cloud;

/** A kind of call, by the name under which it is billed. */
public enum Call {
  REQUEST_SEND("sqs.SendMessageBatch"),
  REQUEST_RECEIVE("sqs.ReceiveMessage"),
  REQUEST_DELETE("sqs.DeleteMessageBatch"),
  REQUEST_VISIBILITY("sqs.ChangeMessageVisibilityBatch"),
  RESPONSE_SEND("sqs.SendMessageBatch"),
  RESPONSE_RECEIVE("sqs.ReceiveMessage"),
  RESPONSE_DELETE("sqs.DeleteMessageBatch"),
  CLAIM_ACQUIRE("dynamodb.UpdateItem"),
  CLAIM_WRITE("dynamodb.UpdateItem"),
  CLAIM_SURVIVE("dynamodb.UpdateItem"),
  CLAIM_READ("dynamodb.BatchGetItem"),
  RUN_WRITE("dynamodb.UpdateItem"),
  RUN_READ("dynamodb.GetItem"),
  BLOB_PUT("s3.PutObject"),
  BLOB_GET("s3.GetObject"),
  BLOB_LIST("s3.ListObjectsV2"),
  BLOB_DELETE("s3.DeleteObjects"),
  LEDGER_WRITE("dynamodb.TransactWriteItems"),
  LEDGER_READ("dynamodb.Query"),
  RUN_LIST("dynamodb.Scan"),
  WORKER_WRITE("dynamodb.PutItem"),
  WORKER_LIST("dynamodb.Scan"),
  DECISION_WRITE("dynamodb.UpdateItem"),
  DECISION_READ("dynamodb.GetItem"),
  DEPTH_READ("sqs.GetQueueAttributes"),
  LAUNCH("ec2.CreateFleet"),
  INSTANCE_LIST("ec2.DescribeInstances"),
  TERMINATE("ec2.TerminateInstances"),
  /** A call between workers, which is not billed. */
  RMI("rmi");

  private final String operation;

  Call(String operation) {
    this.operation = operation;
  }

  /** The service and its operation, as in {@code report.json}. */
  public String operation() {
    return operation;
  }

  /** Whether DynamoDB answers it. */
  public boolean dynamo() {
    return operation.startsWith("dynamodb.");
  }

  /** Whether SQS answers it. */
  public boolean sqs() {
    return operation.startsWith("sqs.");
  }

  /** Whether it writes to the table of claims. */
  boolean writesClaims() {
    return this == CLAIM_ACQUIRE || this == CLAIM_WRITE || this == CLAIM_SURVIVE;
  }
}
