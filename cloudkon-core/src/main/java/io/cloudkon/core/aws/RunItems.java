package io.cloudkon.core.aws;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Runs as items. */
final class RunItems {
  static final String EPOCH = "epoch";
  static final String HOLDER = "holder";
  static final String HOST = "host";
  static final String CREATED = "created";
  static final String STATE = "state";

  /** Only runs that have not ended have this attribute, by which {@link RunIndex} finds them. */
  static final String NOT_ENDED = "notEnded";

  private static final String CONSISTENCY = "consistency";
  private static final String RESPONSE_QUEUE = "responseQueue";
  private static final String LEASE_END = "leaseEnd";
  private static final String DIGEST = "digest";
  private static final String TASKS = "tasks";
  private static final String SENT = "sent";
  private static final String COUNTS = "counts";
  private static final String REMAINING = "remaining";
  private static final String UPDATED = "updated";
  private static final String NAME = "name";
  private static final String TAGS = "tags";

  /** A worker may write only these two attributes, which its policy names. */
  private static final String HANDED_IN = "handedIn";

  private static final String HANDED_IN_FAILED = "handedInFailed";

  private RunItems() {}

  static Map<String, AttributeValue> encode(RunEntry run, long now) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(Items.ID, Items.of(run.run()));
    item.put(EPOCH, Items.of(run.epoch()));
    item.put(CONSISTENCY, Items.of(run.consistency().name()));
    item.put(HOLDER, Items.of(run.holder()));
    item.put(HOST, Items.of(run.host()));
    item.put(CREATED, Items.of(run.createdMillis()));
    item.put(NAME, Items.of(run.label().name()));
    Map<String, AttributeValue> tags = new HashMap<>();
    run.label().tags().forEach((key, value) -> tags.put(key, Items.of(value)));
    item.put(TAGS, AttributeValue.fromM(tags));
    item.putAll(changing(run, now));
    if (run.state() != RunEntry.State.ENDED) {
      item.put(NOT_ENDED, Items.of(1));
    }
    return item;
  }

  private static void mark(Expression update, RunEntry run) {
    update.setOrRemove(NOT_ENDED, run.state() == RunEntry.State.ENDED, Items.of(1));
  }

  /** Updates the attributes of a run that may change, if its holder still holds it. */
  static UpdateItemRequest update(String table, RunEntry run, long now) {
    Expression update = new Expression();
    changing(run, now).forEach(update::set);
    mark(update, run);
    String open = update.value("open", Items.of(RunEntry.State.OPEN.name()));
    // A cancelled run is still completed by its holder.
    String allowed =
        run.state() == RunEntry.State.CANCELLED
            ? "(%s=%s OR %s=%s)"
                .formatted(
                    update.name(STATE),
                    open,
                    update.name(STATE),
                    update.value(STATE, Items.of(run.state().name())))
            : update.name(STATE) + "=" + open;
    return update
        .onlyIf(
            "%s=%s AND %s AND %s<%s"
                .formatted(
                    update.name(HOLDER),
                    update.value(HOLDER, Items.of(run.holder())),
                    allowed,
                    update.name(UPDATED),
                    update.value(UPDATED, Items.of(run.updatedMillis()))))
        .request(table, run.run());
  }

  /** Gives the run to another client, if it has not changed since it was read. */
  static UpdateItemRequest takeOver(String table, RunEntry next, RunEntry seen, long now) {
    Expression update = new Expression();
    changing(next, now).forEach(update::set);
    mark(update, next);
    update.set(HOLDER, Items.of(next.holder()));
    update.set(HOST, Items.of(next.host()));
    return update.onlyIf(standsAs(update, seen, now)).request(table, next.run());
  }

  /** Cancels the run, if it has not changed since it was read. */
  static UpdateItemRequest cancel(String table, RunEntry seen, long now) {
    Expression update = new Expression();
    RunEntry cancelled = seen.cancelled(now);
    update.set(STATE, Items.of(cancelled.state().name()));
    mark(update, cancelled);
    update.set(UPDATED, Items.of(cancelled.updatedMillis()));
    update.set(Items.TTL, Items.of(now / 1000 + Items.KEPT_SECONDS));
    return update.onlyIf(standsAs(update, seen, now)).request(table, seen.run());
  }

  /** Adds the tasks that a worker has finished, if the run exists. */
  static UpdateItemRequest handIn(String table, String run, FinishedTasks more) {
    Expression update = new Expression();
    update.add(HANDED_IN, more.tasks());
    update.add(HANDED_IN_FAILED, more.failed());
    return update
        .onlyIf("attribute_exists(%s)".formatted(update.name(Items.ID)))
        .request(table, run)
        .toBuilder()
        // the workers' policy does not allow them to see more of it
        .returnValues(ReturnValue.NONE)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.NONE)
        .build();
  }

  private static String standsAs(Expression update, RunEntry seen, long now) {
    return "%s=%s AND %s=%s AND %s=%s AND %s>%s"
        .formatted(
            update.name(HOLDER),
            update.value("seenHolder", Items.of(seen.holder())),
            update.name(STATE),
            update.value("seenState", Items.of(seen.state().name())),
            update.name(UPDATED),
            update.value("seenUpdated", Items.of(seen.updatedMillis())),
            update.name(Items.TTL),
            update.value("expired", Items.of(now / 1000)));
  }

  private static Map<String, AttributeValue> changing(RunEntry run, long now) {
    Map<String, AttributeValue> counts = new HashMap<>();
    run.counts().forEach((status, count) -> counts.put(status.name(), Items.of(count)));
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(STATE, Items.of(run.state().name()));
    item.put(RESPONSE_QUEUE, Items.of(run.responseQueue()));
    item.put(LEASE_END, Items.of(run.leaseEnd()));
    item.put(DIGEST, Items.of(run.digest()));
    item.put(TASKS, Items.of(run.tasks()));
    item.put(SENT, Items.of(run.sent()));
    item.put(COUNTS, AttributeValue.fromM(counts));
    item.put(REMAINING, RemainingItems.encode(run.remaining(), run.unfinished()));
    item.put(UPDATED, Items.of(run.updatedMillis()));
    item.put(Items.TTL, Items.of(now / 1000 + Items.KEPT_SECONDS));
    return item;
  }

  /** Whether the item is a run; whoever may hand in counts can create an item that is not one. */
  static boolean isRun(Map<String, AttributeValue> item) {
    return item.containsKey(STATE);
  }

  /**
   * Whether the item is a run that has not expired. DynamoDB may take days to remove an expired
   * one.
   */
  static boolean isKept(Map<String, AttributeValue> item, long now) {
    return isRun(item) && Items.number(item, Items.TTL) > now / 1000;
  }

  static RunEntry decode(Map<String, AttributeValue> item) {
    return new RunEntry(
        Items.text(item, Items.ID),
        Items.text(item, EPOCH),
        RunEntry.State.valueOf(Items.text(item, STATE)),
        Consistency.valueOf(Items.text(item, CONSISTENCY)),
        Items.text(item, RESPONSE_QUEUE),
        Items.text(item, HOLDER),
        Items.text(item, HOST),
        Items.number(item, LEASE_END),
        Items.text(item, DIGEST),
        Items.number(item, TASKS),
        Items.number(item, SENT),
        counts(item.get(COUNTS)),
        RemainingItems.decode(item.get(REMAINING)),
        Items.number(item, CREATED),
        Items.number(item, UPDATED),
        label(item),
        new FinishedTasks(Items.number(item, HANDED_IN), Items.number(item, HANDED_IN_FAILED), 0));
  }

  private static RunLabel label(Map<String, AttributeValue> item) {
    Map<String, String> tags = new HashMap<>();
    AttributeValue value = item.get(TAGS);
    if (value != null && value.hasM()) {
      value.m().forEach((key, tag) -> tags.put(key, tag.s()));
    }
    return new RunLabel(Items.text(item, NAME), tags);
  }

  private static Map<TaskStatus, Long> counts(@Nullable AttributeValue value) {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    if (value != null && value.hasM()) {
      value.m().forEach((name, n) -> counts.put(TaskStatus.valueOf(name), Long.valueOf(n.n())));
    }
    return counts;
  }
}
