package io.cloudkon.core.aws;

import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads items, and whole tables if they are small. */
final class Tables {
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
}
