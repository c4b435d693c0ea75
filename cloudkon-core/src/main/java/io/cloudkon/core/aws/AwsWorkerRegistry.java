package io.cloudkon.core.aws;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Workers' entries in DynamoDB; each expires {@link #KEPT} after it was written. */
final class AwsWorkerRegistry implements WorkerRegistry {
  /** Long enough for {@code status} to show that a worker died. */
  static final Duration KEPT = Duration.ofMinutes(10);

  private final DynamoDbClient dynamo;
  private final String table;
  private final TimeSource time;

  AwsWorkerRegistry(DynamoDbClient dynamo, String table, TimeSource time) {
    this.dynamo = dynamo;
    this.table = table;
    this.time = time;
  }

  @Override
  public void put(WorkerEntry entry) {
    AwsCall.table("PutItem", table)
        .make(() ->
            dynamo.putItem(b ->
                b.tableName(table)
                    .item(encode(entry, time.serviceMillis()))
                    .returnConsumedCapacity(Items.CAPACITY)));
  }

  @Override
  public void remove(String worker) {
    AwsCall.table("DeleteItem", table)
        .make(() ->
            dynamo.deleteItem(b ->
                b.tableName(table).key(Items.key(worker)).returnConsumedCapacity(Items.CAPACITY)));
  }

  @Override
  public List<WorkerEntry> list() {
    return Tables.scan(dynamo, table, time).map(AwsWorkerRegistry::decode).toList();
  }

  private static Map<String, AttributeValue> encode(WorkerEntry entry, long now) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(Items.ID, Items.of(entry.id()));
    item.put("host", Items.of(entry.host()));
    item.put("launch", Items.of(entry.origin().launch()));
    item.put("instance", Items.of(entry.origin().instance()));
    item.put("type", Items.of(entry.origin().type()));
    item.put("lifeCycle", Items.of(entry.origin().lifeCycle()));
    item.put("takes", TakesItems.encode(entry.takes()));
    item.put("role", Items.of(entry.role()));
    item.put("notice", Items.of(entry.notice()));
    item.put("sickness", Items.of(entry.sickness()));
    item.put("slots", Items.of(entry.slots()));
    item.put("busy", Items.of(entry.busy()));
    item.put("staging", Items.of(entry.staging()));
    item.put("shippedFiles", Items.of(entry.shippedFiles()));
    item.put("unreachable", Items.of(entry.unreachable()));
    item.put("cpu", Items.of(entry.cpu()));
    item.put("memoryBytes", Items.of(entry.memoryBytes()));
    item.put("tasksDone", Items.of(entry.tasksDone()));
    item.put("tasksPerSecond", Items.of(entry.tasksPerSecond()));
    item.put("finished", FinishedItems.encode(entry.finished()));
    item.put("since", Items.of(entry.sinceMillis()));
    item.put("updated", Items.of(entry.updatedMillis()));
    item.put(Items.TTL, Items.of(now / 1000 + KEPT.toSeconds()));
    return item;
  }

  private static WorkerEntry decode(Map<String, AttributeValue> item) {
    return new WorkerEntry(
        Items.text(item, Items.ID),
        Items.text(item, "host"),
        new WorkerOrigin(
            Items.text(item, "launch"),
            Items.text(item, "instance"),
            Items.text(item, "type"),
            Items.text(item, "lifeCycle")),
        TakesItems.decode(item.get("takes")),
        Items.text(item, "role"),
        Items.text(item, "notice"),
        Items.text(item, "sickness"),
        (int) Items.number(item, "slots"),
        (int) Items.number(item, "busy"),
        (int) Items.number(item, "staging"),
        Items.text(item, "shippedFiles"),
        Items.text(item, "unreachable"),
        Items.real(item, "cpu"),
        Items.number(item, "memoryBytes"),
        Items.number(item, "tasksDone"),
        Items.real(item, "tasksPerSecond"),
        FinishedItems.decode(item.get("finished")),
        Items.number(item, "since"),
        Items.number(item, "updated"));
  }
}
