package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The provisioner's lease, decisions and seats as items of one table, which expire 15 days after
 * their last write, and the cluster's settings. Thread safe.
 */
final class AwsDecisionStore implements DecisionStore {
  /** The maximum number of items in a BatchGetItem. */
  private static final int BATCH = 100;

  private final DynamoDbClient dynamo;
  private final String table;
  private final TimeSource time;

  AwsDecisionStore(DynamoDbClient dynamo, String table, TimeSource time) {
    this.dynamo = dynamo;
    this.table = table;
    this.time = time;
  }

  @Override
  public Optional<ProvisionerEntry> provisioner() {
    Map<String, AttributeValue> item = Tables.item(dynamo, table, DecisionItems.PROVISIONER, true);
    return item.isEmpty() ? Optional.empty() : Optional.of(DecisionItems.provisioner(item));
  }

  @Override
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    Expression update = changed(next);
    update.set(DecisionItems.NEXT, Items.of(next.nextDecision()));
    String condition =
        seen.map(before ->
                "%s=%s AND %s=%s AND %s=%s"
                    .formatted(
                        update.name(DecisionItems.HOLDER),
                        update.value("seenHolder", Items.of(before.holder())),
                        update.name(DecisionItems.UPDATED),
                        update.value("seenUpdated", Items.of(before.updatedMillis())),
                        update.name(DecisionItems.NEXT),
                        update.value("seenNext", Items.of(before.nextDecision()))))
            .orElseGet(() -> "attribute_not_exists(%s)".formatted(update.name(Items.ID)));
    return write(
        DecisionItems.PROVISIONER,
        update.onlyIf(condition),
        item -> next.isShownBy(DecisionItems.provisioner(item)));
  }

  @Override
  public boolean renew(ProvisionerEntry entry) {
    Expression update = changed(entry);
    update.onlyIf(
        "%s=%s AND %s<%s"
            .formatted(
                update.name(DecisionItems.HOLDER),
                update.value(DecisionItems.HOLDER, Items.of(entry.holder())),
                update.name(DecisionItems.UPDATED),
                update.value(DecisionItems.UPDATED, Items.of(entry.updatedMillis()))));
    return write(
        DecisionItems.PROVISIONER,
        update,
        item -> entry.isShownBy(DecisionItems.provisioner(item)));
  }

  private Expression changed(ProvisionerEntry entry) {
    Expression update = new Expression();
    DecisionItems.encode(entry).forEach(update::set);
    return update.set(Items.TTL, Items.of(expiry()));
  }

  private long expiry() {
    return time.serviceMillis() / 1000 + Items.KEPT_SECONDS;
  }

  @Override
  public boolean intend(Decision decision) {
    Expression raise = new Expression();
    raise.set(DecisionItems.NEXT, Items.of(decision.number() + 1));
    raise.onlyIf(
        "%s=%s AND %s=%s"
            .formatted(
                raise.name(DecisionItems.HOLDER),
                raise.value(DecisionItems.HOLDER, Items.of(decision.holder())),
                raise.name(DecisionItems.NEXT),
                raise.value("number", Items.of(decision.number()))));
    Optional<Refusal> refusal =
        new Transaction(table)
            .insert(DecisionItems.encode(decision), decision.atMillis() / 1000)
            .update(DecisionItems.PROVISIONER, raise)
            .send(dynamo, requestToken(decision));
    return refusal.isEmpty() || isToken(refusal.get().item(0), decision.token());
  }

  /**
   * The token for DynamoDB, which accepts 36 characters, whereas a launcher's token may have 64,
   * and which accepts a token for only one request across all tables of an account.
   */
  private String requestToken(Decision decision) {
    String name =
        String.join(
            "/",
            table,
            decision.token(),
            decision.holder(),
            Long.toString(decision.number()),
            Long.toString(decision.atMillis()));
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
  }

  private static boolean isToken(Map<String, AttributeValue> item, String token) {
    return Items.text(item, DecisionItems.TOKEN).equals(token);
  }

  @Override
  public boolean update(Decision decision) {
    Expression update = new Expression();
    DecisionItems.changing(decision).forEach(update::set);
    update.onlyIf(
        "%s=%s AND %s<%s"
            .formatted(
                update.name(DecisionItems.TOKEN),
                update.value(DecisionItems.TOKEN, Items.of(decision.token())),
                update.name(DecisionItems.UPDATED),
                update.value(DecisionItems.UPDATED, Items.of(decision.updatedMillis()))));
    return write(
        DecisionItems.decisionKey(decision.number()),
        update,
        item -> decision.isShownBy(DecisionItems.decision(item)));
  }

  @Override
  public List<Decision> decisions(long first, long last) {
    List<Decision> found = new ArrayList<>();
    long now = time.serviceMillis() / 1000;
    for (long from = first; from <= last; from += BATCH) {
      long to = Math.min(last, from + BATCH - 1);
      Tables.batch(
          dynamo,
          table,
          LongStream.rangeClosed(from, to).mapToObj(DecisionItems::decisionKey).toList(),
          item -> {
            if (Items.number(item, Items.TTL) > now) {
              found.add(DecisionItems.decision(item));
            }
          });
    }
    found.sort(Comparator.comparingLong(Decision::number));
    return List.copyOf(found);
  }

  @Override
  public boolean sit(IdleSeat seat, long nowMillis) {
    Expression update = new Expression();
    update.set(DecisionItems.WORKER, Items.of(seat.worker()));
    update.set(DecisionItems.LEASE_END, Items.of(seat.leaseEnd()));
    update.set(Items.TTL, Items.of(expiry()));
    String end = update.name(DecisionItems.LEASE_END);
    update.onlyIf(
        "attribute_not_exists(%s) OR %s<%s OR (%s=%s AND %s<=%s)"
            .formatted(
                update.name(Items.ID),
                end,
                update.value("now", Items.of(nowMillis)),
                update.name(DecisionItems.WORKER),
                update.value(DecisionItems.WORKER, Items.of(seat.worker())),
                end,
                update.value(DecisionItems.LEASE_END, Items.of(seat.leaseEnd()))));
    return write(
        DecisionItems.seatKey(seat.index()),
        update,
        item -> Items.text(item, DecisionItems.WORKER).equals(seat.worker()));
  }

  @Override
  public void leave(int index, String worker) {
    Expression mine = new Expression();
    mine.onlyIf(
        "%s=%s"
            .formatted(
                mine.name(DecisionItems.WORKER),
                mine.value(DecisionItems.WORKER, Items.of(worker))));
    Tables.delete(dynamo, table, DecisionItems.seatKey(index), mine);
  }

  @Override
  public ClusterSettings settings() {
    return DecisionItems.settings(Tables.item(dynamo, table, DecisionItems.SETTINGS, true));
  }

  /**
   * Written without an expiry, unlike all other items, because it is valid as long as the cluster
   * exists.
   */
  @Override
  public void keep(ClusterSettings settings) {
    Expression update =
        new Expression().set(DecisionItems.FAIR, AttributeValue.fromBool(settings.fair()));
    var unused =
        AwsCall.table("UpdateItem", table)
            .make(() -> dynamo.updateItem(update.request(table, DecisionItems.SETTINGS)));
  }

  @Override
  public List<IdleSeat> seats() {
    return Tables.scan(dynamo, table, time)
        .filter(item -> Items.text(item, Items.ID).startsWith(DecisionItems.SEAT))
        .map(DecisionItems::seat)
        .sorted(Comparator.comparingInt(IdleSeat::index))
        .toList();
  }

  /**
   * Writes an item conditionally.
   *
   * @param shows whether an item for which the condition does not hold shows this write
   */
  private boolean write(
      String id, Expression update, Predicate<Map<String, AttributeValue>> shows) {
    return Tables.update(dynamo, table, id, update, shows);
  }
}
