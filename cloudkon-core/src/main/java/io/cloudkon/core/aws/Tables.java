package io.cloudkon.core.aws;

import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads and writes items, and reads whole tables if they are small. */
final class Tables {
  /** The time for which keys that DynamoDB left unread are requested again. */
  private static final Duration UNPROCESSED_PATIENCE = Duration.ofSeconds(5);

  private Tables() {}

  /**
   * One item; empty if there is none.
   *
   * @param consistent whether it must not be older than the call
   */
  static Map<String, AttributeValue> item(
      DynamoDbClient dynamo, String table, String id, boolean consistent) {
    return AwsCall.table("GetItem", table)
        .make(() ->
            dynamo
                .getItem(b ->
                    b.tableName(table)
                        .key(Items.key(id))
                        .consistentRead(consistent)
                        .returnConsumedCapacity(Items.CAPACITY))
                .item());
  }

  /** All items, read consistently. */
  static List<Map<String, AttributeValue>> scan(DynamoDbClient dynamo, String table) {
    return AwsCall.table("Scan", table)
        .make(() ->
            dynamo
                .scanPaginator(b ->
                    b.tableName(table).consistentRead(true).returnConsumedCapacity(Items.CAPACITY))
                .items()
                .stream()
                .toList());
  }

  /** All items, read consistently, except expired ones, which DynamoDB may take days to remove. */
  static Stream<Map<String, AttributeValue>> scan(
      DynamoDbClient dynamo, String table, TimeSource time) {
    long now = time.serviceMillis() / 1000;
    return scan(dynamo, table).stream().filter(item -> Items.number(item, Items.TTL) > now);
  }

  /**
   * Items by their ids, at most 100, read consistently. Keys that are left unread are requested
   * again.
   *
   * @param found receives each item that exists
   */
  static void batch(
      DynamoDbClient dynamo,
      String table,
      Collection<String> ids,
      Consumer<Map<String, AttributeValue>> found) {
    Map<String, KeysAndAttributes> missing = new HashMap<>();
    missing.put(
        table,
        KeysAndAttributes.builder()
            .keys(ids.stream().distinct().map(Items::key).toList())
            .consistentRead(true)
            .build());
    AwsCall call = AwsCall.table("BatchGetItem", table);
    ServiceWait.until(
        UNPROCESSED_PATIENCE,
        () -> {
          BatchGetItemResponse page =
              call.make(() ->
                  dynamo.batchGetItem(
                      BatchGetItemRequest.builder()
                          .requestItems(missing)
                          .returnConsumedCapacity(Items.CAPACITY)
                          .build()));
          page.responses().getOrDefault(table, List.of()).forEach(found);
          missing.clear();
          missing.putAll(page.unprocessedKeys());
          return missing.isEmpty();
        },
        () -> new TransientServiceException(call + " left keys unread: throttled", null));
  }

  /**
   * Updates an item conditionally.
   *
   * @param shows whether an item for which the condition does not hold shows the requested state,
   *     as after a write of which the answer was lost
   * @return whether the item is in the requested state
   */
  static boolean update(
      DynamoDbClient dynamo,
      String table,
      String id,
      Expression update,
      Predicate<Map<String, AttributeValue>> shows) {
    return AwsCall.table("UpdateItem", table)
        .make(() -> {
          try {
            dynamo.updateItem(update.request(table, id));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return e.hasItem() && !e.item().isEmpty() && shows.test(e.item());
          }
        });
  }

  /** Deletes an item if the condition holds; does nothing if it is gone or another's. */
  static void delete(DynamoDbClient dynamo, String table, String id, Expression condition) {
    AwsCall.table("DeleteItem", table)
        .make(() -> {
          try {
            dynamo.deleteItem(condition.deleteRequest(table, id));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return false;
          }
        });
  }
}
