package io.cloudkon.core.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A builder for conditional writes of several items of one table, which all happen or not at all.
 * Not thread safe.
 */
final class Transaction {
  private final String table;
  private final List<TransactWriteItem> parts = new ArrayList<>();

  Transaction(String table) {
    this.table = table;
  }

  /** Writes an item that must not exist. */
  Transaction insert(Map<String, AttributeValue> item) {
    Expression absent = new Expression();
    absent.onlyIf("attribute_not_exists(%s)".formatted(absent.name(Items.ID)));
    return add(absent.put(table, item));
  }

  /**
   * Writes an item that must not exist, or that expired before the given time and was not removed
   * yet; epoch seconds.
   */
  Transaction insert(Map<String, AttributeValue> item, long expiredBefore) {
    Expression absent = new Expression();
    absent.onlyIf(
        "attribute_not_exists(%s) OR %s<%s"
            .formatted(
                absent.name(Items.ID),
                absent.name(Items.TTL),
                absent.value("expiredBefore", Items.of(expiredBefore))));
    return add(absent.put(table, item));
  }

  /** Changes an item, or creates it if the condition permits that. */
  Transaction update(String id, Expression update) {
    return add(update.update(table, id));
  }

  /** Removes an item. */
  Transaction delete(String id, Expression onlyIf) {
    return add(onlyIf.delete(table, id));
  }

  private Transaction add(TransactWriteItem part) {
    parts.add(part);
    return this;
  }

  /**
   * Sends the transaction. For 10 minutes the service remembers the token of a transaction that was
   * carried out, and answers a copy without carrying it out again.
   *
   * @return empty if it was carried out
   * @throws io.cloudkon.core.port.TransientServiceException if it conflicted with another write, or
   *     was throttled
   */
  Optional<Refusal> send(DynamoDbClient dynamo, String token) {
    AwsCall call = AwsCall.table("TransactWriteItems", table);
    return call.make(() -> {
      try {
        dynamo.transactWriteItems(b ->
            b.transactItems(parts)
                .clientRequestToken(token)
                .returnConsumedCapacity(Items.CAPACITY));
        return Optional.empty();
      } catch (TransactionCanceledException e) {
        return Optional.of(Refusal.of(call, e));
      }
    });
  }
}
