package io.cloudkon.core.aws;

import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.s3.model.S3Request;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsRequest;

/**
 * The units that AWS bills for a call: SQS by request of 64 KiB, DynamoDB by capacity unit, S3 by
 * request.
 */
final class BilledUnits {
  /** The minimum cost of a conditional write that fails, whose answer contains no capacity. */
  private static final double REFUSED_WRITE = 1;

  /**
   * The cost per item of a cancelled transaction, whose answer contains no capacity either; it is
   * that of a transaction that is carried out.
   */
  private static final double CANCELLED_PART = 2;

  private static final int SQS_UNIT_BYTES = 64 * 1024;

  private BilledUnits() {}

  /** The units of the request itself. */
  static double ofRequest(SdkRequest request) {
    return switch (request) {
      case SendMessageBatchRequest send -> {
        int bytes = 0;
        for (SendMessageBatchRequestEntry entry : send.entries()) {
          bytes += entry.messageBody().length();
          bytes += SqsMessages.countedBytes(entry.messageAttributes());
        }
        yield sqsUnits(bytes);
      }
      case SqsRequest other -> 1;
      case DynamoDbRequest dynamo -> 0; // its answer says
      case S3Request s3 -> 1;
      default -> 0;
    };
  }

  /** The units of its answer. */
  static double ofResponse(SdkResponse response) {
    return switch (response) {
      case ReceiveMessageResponse received -> {
        int bytes = 0;
        for (Message message : received.messages()) {
          bytes += SqsMessages.countedBytes(message);
        }
        yield sqsUnits(bytes) - 1; // the request has counted as one
      }
      case UpdateItemResponse r -> units(r.consumedCapacity());
      case PutItemResponse r -> units(r.consumedCapacity());
      case DeleteItemResponse r -> units(r.consumedCapacity());
      case GetItemResponse r -> units(r.consumedCapacity());
      case ScanResponse r -> units(r.consumedCapacity());
      case QueryResponse r -> units(r.consumedCapacity());
      case BatchGetItemResponse r -> units(r.consumedCapacity());
      case TransactWriteItemsResponse r -> units(r.consumedCapacity());
      default -> 0;
    };
  }

  /** The units of a refusal. */
  static double ofFailure(Throwable failure) {
    return switch (failure) {
      case ConditionalCheckFailedException refused -> REFUSED_WRITE;
      case TransactionCanceledException cancelled ->
          CANCELLED_PART * cancelled.cancellationReasons().size();
      default -> 0;
    };
  }

  private static double sqsUnits(int bytes) {
    return Math.max(1, Math.ceilDiv(bytes, SQS_UNIT_BYTES));
  }

  private static double units(List<ConsumedCapacity> tables) {
    return tables.stream().mapToDouble(BilledUnits::units).sum();
  }

  private static double units(@Nullable ConsumedCapacity capacity) {
    return capacity == null || capacity.capacityUnits() == null ? 0 : capacity.capacityUnits();
  }
}
