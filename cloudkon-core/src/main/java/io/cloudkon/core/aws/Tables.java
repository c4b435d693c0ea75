package io.cloudkon.core.aws;

import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads of whole tables; for small ones. */
final class Tables {
  private Tables() {}

  /**
   * All items, read consistently, but for those past their ttl: DynamoDB may take days to remove
   * them.
   */
  static Stream<Map<String, AttributeValue>> scan(
      DynamoDbClient dynamo, String table, TimeSource time) {
    long now = time.serviceMillis() / 1000;
    return AwsCall.table("Scan", table)
        .make(() ->
            dynamo
                .scanPaginator(b ->
                    b.tableName(table).consistentRead(true).returnConsumedCapacity(Items.CAPACITY))
                .items()
                .stream()
                .toList())
        .stream()
        .filter(item -> Items.number(item, Items.TTL) > now);
  }
}
