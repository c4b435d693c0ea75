package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** What CloudKon needs of DynamoDB. */
class DynamoDbIT {
  private static final String TABLE = "claims";

  private static LocalProcess local;
  private static DynamoDbClient dynamoDb;
  private static TableStatus created;

  @BeforeAll
  static void start() {
    local = LocalProcess.start();
    dynamoDb = client(Region.US_EAST_1);
    created =
        dynamoDb
            .createTable(table ->
                table
                    .tableName(TABLE)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                        KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .attributeDefinitions(
                        AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build()))
            .tableDescription()
            .tableStatus();
  }

  @AfterAll
  static void stop() {
    dynamoDb.close();
    local.close();
  }

  private static DynamoDbClient client(Region region) {
    return DynamoDbClient.builder()
        .endpointOverride(URI.create("http://127.0.0.1:" + local.endpoints().dynamoDbPort()))
        .region(region)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(local.key().id(), local.key().secret())))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }

  private static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  private static AttributeValue number(int value) {
    return AttributeValue.fromN(Integer.toString(value));
  }

  private static UpdateItemRequest acquire(String id, String owner) {
    return UpdateItemRequest.builder()
        .tableName(TABLE)
        .key(Map.of("id", text(id)))
        .updateExpression("SET #owner = :owner ADD attempt :one")
        .conditionExpression("attribute_not_exists(id)")
        .expressionAttributeNames(Map.of("#owner", "owner"))
        .expressionAttributeValues(Map.of(":owner", text(owner), ":one", number(1)))
        .returnValues(ReturnValue.ALL_NEW)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }

  @Test
  void table_is_active_and_takes_a_time_to_live() {
    assertThat(created).as("at once, unlike on AWS").isEqualTo(TableStatus.ACTIVE);
    assertThat(
            dynamoDb
                .updateTimeToLive(request ->
                    request
                        .tableName(TABLE)
                        .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(true)))
                .timeToLiveSpecification()
                .enabled())
        .isTrue();
  }

  @Test
  void conditional_update_returns_the_new_item_or_on_failure_the_old_one() {
    UpdateItemResponse won = dynamoDb.updateItem(acquire("one", "w1"));
    assertThat(won.attributes())
        .containsEntry("attempt", number(1))
        .containsEntry("owner", text("w1"));
    ConditionalCheckFailedException lost =
        catchThrowableOfType(
            ConditionalCheckFailedException.class, () -> dynamoDb.updateItem(acquire("one", "w2")));
    assertThat(lost.item()).isEqualTo(won.attributes());
  }

  @Test
  void conditional_updates_of_sixteen_threads_have_one_winner_for_each_item() throws Exception {
    int items = 50;
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      Callable<Integer> contender =
          () -> (int) IntStream.range(0, items).filter(item -> wins("race-" + item)).count();
      int wins = 0;
      for (Future<Integer> count :
          threads.invokeAll(java.util.Collections.nCopies(16, contender))) {
        wins += count.get();
      }
      assertThat(wins).isEqualTo(items);
    }
  }

  private static boolean wins(String id) {
    try {
      dynamoDb.updateItem(acquire(id, Thread.currentThread().getName()));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  @Test
  void transaction_with_a_token_takes_effect_once() {
    for (int i = 0; i < 2; i++) {
      dynamoDb.transactWriteItems(
          request -> request.clientRequestToken("token-1").transactItems(add("counter", -3)));
    }
    assertThat(item("counter")).containsEntry("slots", number(-3));
  }

  @Test
  void transaction_with_a_failed_condition_changes_nothing_and_says_which() {
    dynamoDb.updateItem(acquire("taken", "w1"));
    TransactWriteItem put =
        TransactWriteItem.builder()
            .put(item ->
                item.tableName(TABLE)
                    .item(Map.of("id", text("taken")))
                    .conditionExpression("attribute_not_exists(id)"))
            .build();
    TransactionCanceledException cancelled =
        catchThrowableOfType(
            TransactionCanceledException.class,
            () ->
                dynamoDb.transactWriteItems(
                    request -> request.transactItems(add("untouched", 1), put)));
    assertThat(cancelled.cancellationReasons())
        .extracting(reason -> reason.code())
        .containsExactly("None", "ConditionalCheckFailed");
    assertThat(item("untouched")).isEmpty();
  }

  private static TransactWriteItem add(String id, int slots) {
    return TransactWriteItem.builder()
        .update(update ->
            update
                .tableName(TABLE)
                .key(Map.of("id", text(id)))
                .updateExpression("ADD slots :k")
                .expressionAttributeValues(Map.of(":k", number(slots))))
        .build();
  }

  private static Map<String, AttributeValue> item(String id) {
    return dynamoDb
        .getItem(
            request -> request.tableName(TABLE).key(Map.of("id", text(id))).consistentRead(true))
        .item();
  }

  @Test
  void batch_get_finds_what_is_there() {
    dynamoDb.updateItem(acquire("batch-1", "w"));
    dynamoDb.updateItem(acquire("batch-2", "w"));
    List<Map<String, AttributeValue>> found =
        dynamoDb
            .batchGetItem(request ->
                request.requestItems(
                    Map.of(
                        TABLE,
                        KeysAndAttributes.builder()
                            .keys(
                                Map.of("id", text("batch-1")),
                                Map.of("id", text("batch-2")),
                                Map.of("id", text("batch-3")))
                            .consistentRead(true)
                            .build())))
            .responses()
            .get(TABLE);
    assertThat(found)
        .extracting(item -> item.get("id").s())
        .containsExactlyInAnyOrder("batch-1", "batch-2");
  }

  @Test
  void table_is_the_same_for_every_region() {
    try (DynamoDbClient elsewhere = client(Region.EU_WEST_1)) {
      assertThat(elsewhere.listTables().tableNames()).contains(TABLE);
    }
  }
}
