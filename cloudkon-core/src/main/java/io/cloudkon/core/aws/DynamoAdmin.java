package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Creates and removes tables: key {@code id}, on demand, items removed by {@code ttl}. A table may
 * have a sparse index: of the ids of those items that have a certain number.
 */
final class DynamoAdmin {
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  private static final Projection ID_ALONE =
      Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build();
  private static final AttributeDefinition KEY_TYPE =
      AttributeDefinition.builder()
          .attributeName(Items.ID)
          .attributeType(ScalarAttributeType.S)
          .build();

  private final DynamoDbClient dynamo;

  DynamoAdmin(DynamoDbClient dynamo) {
    this.dynamo = dynamo;
  }

  /** Creates a table, if there is none. It cannot be used yet: see {@link #awaitActive}. */
  void create(String table) {
    create(CreateTableRequest.builder().tableName(table).attributeDefinitions(KEY_TYPE));
  }

  /**
   * Creates a table with an index, if there is none.
   *
   * @param index the name of the index, and of the number that its items have
   */
  void create(String table, String index) {
    create(
        CreateTableRequest.builder()
            .tableName(table)
            .attributeDefinitions(KEY_TYPE, number(index))
            .globalSecondaryIndexes(
                GlobalSecondaryIndex.builder()
                    .indexName(index)
                    .keySchema(hash(index))
                    .projection(ID_ALONE)
                    .build()));
  }

  private void create(CreateTableRequest.Builder request) {
    CreateTableRequest table =
        request.billingMode(BillingMode.PAY_PER_REQUEST).keySchema(hash(Items.ID)).build();
    AwsCall.table("CreateTable", table.tableName())
        .make(() -> {
          try {
            return dynamo.createTable(table);
          } catch (ResourceInUseException e) {
            return ""; // it stands already
          }
        });
  }

  /** Adds the index to a table that was made without it; it is filled in the background. */
  void addIndex(String table, String index) {
    GlobalSecondaryIndexUpdate added =
        GlobalSecondaryIndexUpdate.builder()
            .create(b -> b.indexName(index).keySchema(hash(index)).projection(ID_ALONE))
            .build();
    boolean present =
        describe(table).stream()
            .flatMap(found -> found.globalSecondaryIndexes().stream())
            .anyMatch(found -> found.indexName().equals(index));
    if (present) {
      return;
    }
    AwsCall.table("UpdateTable", table)
        .make(() -> {
          try {
            return dynamo.updateTable(b ->
                b.tableName(table)
                    .attributeDefinitions(KEY_TYPE, number(index))
                    .globalSecondaryIndexUpdates(added));
          } catch (ResourceInUseException e) {
            return ""; // somebody else adds it
          }
        });
  }

  private static KeySchemaElement hash(String attribute) {
    return KeySchemaElement.builder().attributeName(attribute).keyType(KeyType.HASH).build();
  }

  private static AttributeDefinition number(String attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute)
        .attributeType(ScalarAttributeType.N)
        .build();
  }

  /** Returns when the table can be used and its items expire. */
  void awaitActive(String table) {
    ServiceWait.until(
        READY_WITHIN,
        () -> status(table).filter(TableStatus.ACTIVE::equals).isPresent(),
        () -> new CloudKonException("table '%s' does not become active".formatted(table)));
    AwsCall.table("UpdateTimeToLive", table).make(() -> expire(table));
  }

  private Object expire(String table) {
    TimeToLiveStatus status =
        dynamo
            .describeTimeToLive(b -> b.tableName(table))
            .timeToLiveDescription()
            .timeToLiveStatus();
    if (status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING) {
      return status; // asking again would be refused
    }
    return dynamo.updateTimeToLive(b ->
        b.tableName(table).timeToLiveSpecification(t -> t.attributeName(Items.TTL).enabled(true)));
  }

  /** Begins to remove a table; false if there is none. */
  boolean delete(String table) {
    return AwsCall.table("DeleteTable", table)
        .make(() -> {
          try {
            dynamo.deleteTable(b -> b.tableName(table));
            return true;
          } catch (ResourceNotFoundException e) {
            return false;
          }
        });
  }

  /** Returns when the table is gone, so that its name is free. */
  void awaitGone(String table) {
    ServiceWait.until(
        READY_WITHIN,
        () -> status(table).isEmpty(),
        () -> new CloudKonException("table '%s' still exists after its deletion".formatted(table)));
  }

  boolean exists(String table) {
    return describe(table).isPresent();
  }

  /** Whether a table is there and refuses to be removed. */
  boolean isProtected(String table) {
    return describe(table)
        .map(TableDescription::deletionProtectionEnabled)
        .filter(Boolean.TRUE::equals)
        .isPresent();
  }

  private Optional<TableStatus> status(String table) {
    return describe(table).map(TableDescription::tableStatus);
  }

  private Optional<TableDescription> describe(String table) {
    return AwsCall.table("DescribeTable", table)
        .make(() -> {
          try {
            return Optional.of(dynamo.describeTable(b -> b.tableName(table)).table());
          } catch (ResourceNotFoundException e) {
            return Optional.empty();
          }
        });
  }
}
