package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
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

  /** Items can be read and written while an index is added. */
  private static final Set<TableStatus> USABLE = Set.of(TableStatus.ACTIVE, TableStatus.UPDATING);

  private static final Set<TableStatus> CHANGING =
      Set.of(TableStatus.CREATING, TableStatus.UPDATING);
  private static final Set<TimeToLiveStatus> EXPIRING =
      Set.of(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
  private static final String REFUSED = "ValidationException";

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

  /** Creates a table, if there is none. It cannot be used yet: see {@link #awaitUsable}. */
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
    if (!begin(table) && is(table.tableName(), Set.of(TableStatus.DELETING))) {
      awaitGone(table.tableName());
      boolean unused = begin(table); // or another setup has begun
    }
  }

  /** Begins to create a table; false if there is one of that name. */
  private boolean begin(CreateTableRequest table) {
    return AwsCall.table("CreateTable", table.tableName())
        .make(() -> {
          try {
            var unused = dynamo.createTable(table);
            return true;
          } catch (ResourceInUseException e) {
            return false;
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
  void awaitUsable(String table) {
    ServiceWait.until(
        READY_WITHIN,
        () -> is(table, USABLE),
        () -> new CloudKonException("table '%s' does not become active".formatted(table)));
    AwsCall.table("UpdateTimeToLive", table).make(() -> expire(table));
  }

  private Object expire(String table) {
    if (expires(table)) {
      return ""; // asking again would be refused
    }
    try {
      return dynamo.updateTimeToLive(b ->
          b.tableName(table)
              .timeToLiveSpecification(t -> t.attributeName(Items.TTL).enabled(true)));
    } catch (DynamoDbException e) {
      // Another setup was faster, or this call took effect and its first answer was lost.
      boolean refused =
          e.awsErrorDetails() != null && REFUSED.equals(e.awsErrorDetails().errorCode());
      if (refused && expires(table)) {
        return "";
      }
      throw e;
    }
  }

  private boolean expires(String table) {
    return EXPIRING.contains(
        dynamo
            .describeTimeToLive(b -> b.tableName(table))
            .timeToLiveDescription()
            .timeToLiveStatus());
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
        () -> !exists(table),
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

  /**
   * Whether a table is there and cannot be removed for the moment, because it or an index of it is
   * being created or changed.
   */
  boolean isChanging(String table) {
    return describe(table)
        .filter(found ->
            CHANGING.contains(found.tableStatus())
                || found.globalSecondaryIndexes().stream()
                    .anyMatch(index -> index.indexStatus() == IndexStatus.CREATING))
        .isPresent();
  }

  private boolean is(String table, Set<TableStatus> any) {
    return describe(table).map(TableDescription::tableStatus).filter(any::contains).isPresent();
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
