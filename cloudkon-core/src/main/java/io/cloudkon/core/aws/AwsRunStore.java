package io.cloudkon.core.aws;

import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Runs in DynamoDB; each expires 15 days after its last write. */
final class AwsRunStore implements RunStore {
  private final DynamoDbClient dynamo;
  private final String table;
  private final TimeSource time;
  private final RunIndex index;

  AwsRunStore(DynamoDbClient dynamo, String table, TimeSource time) {
    this.dynamo = dynamo;
    this.table = table;
    this.time = time;
    this.index = new RunIndex(dynamo, table, time);
  }

  @Override
  public boolean create(RunEntry run) {
    return AwsCall.table("PutItem", table)
        .make(() -> {
          try {
            dynamo.putItem(b ->
                b.tableName(table)
                    .item(RunItems.encode(run, time.serviceMillis()))
                    .conditionExpression("attribute_not_exists(#state)")
                    .expressionAttributeNames(Map.of("#state", RunItems.STATE))
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .returnConsumedCapacity(Items.CAPACITY));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return shows(run, e);
          }
        });
  }

  /** Whether the write was carried out before, and its answer lost. */
  private static boolean shows(RunEntry run, ConditionalCheckFailedException refused) {
    return refused.hasItem()
        && !refused.item().isEmpty()
        && run.isShownBy(RunItems.decode(refused.item()));
  }

  @Override
  public Optional<RunEntry> read(String run) {
    Map<String, AttributeValue> item = Tables.item(dynamo, table, run, true);
    return RunItems.isKept(item, time.serviceMillis())
        ? Optional.of(RunItems.decode(item))
        : Optional.empty();
  }

  @Override
  public boolean update(RunEntry run) {
    return AwsCall.table("UpdateItem", table)
        .make(() -> {
          try {
            dynamo.updateItem(RunItems.update(table, run, time.serviceMillis()));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return shows(run, e);
          }
        });
  }

  @Override
  public boolean takeOver(RunEntry next, RunEntry seen) {
    if (!next.maySucceed(seen, seen)) {
      return false;
    }
    return AwsCall.table("UpdateItem", table)
        .make(() -> {
          try {
            dynamo.updateItem(RunItems.takeOver(table, next, seen, time.serviceMillis()));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return shows(next, e);
          }
        });
  }

  @Override
  public Optional<RunEntry> cancel(String run, long now) {
    Optional<RunEntry> current = read(run);
    while (current.isPresent() && current.get().state() == RunEntry.State.OPEN) {
      RunEntry seen = current.get();
      boolean done =
          AwsCall.table("UpdateItem", table)
              .make(() -> {
                try {
                  dynamo.updateItem(RunItems.cancel(table, seen, now));
                  return true;
                } catch (ConditionalCheckFailedException e) {
                  // Its holder has renewed it in between, or it is no longer open.
                  return false;
                }
              });
      current = done ? Optional.of(seen.cancelled(now)) : read(run);
    }
    return current;
  }

  @Override
  public boolean handIn(String run, FinishedTasks more) {
    return AwsCall.table("UpdateItem", table)
        .make(() -> {
          try {
            dynamo.updateItem(RunItems.handIn(table, run, more));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return false;
          }
        });
  }

  @Override
  public List<RunEntry> list() {
    return Tables.scan(dynamo, table, time).filter(RunItems::isRun).map(RunItems::decode).toList();
  }

  @Override
  public List<RunEntry> notEnded() {
    return index.notEnded().orElseGet(RunStore.super::notEnded);
  }
}
