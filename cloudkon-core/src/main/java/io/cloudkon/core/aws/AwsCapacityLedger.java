package io.cloudkon.core.aws;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The ledger as items of one table. It expresses {@link
 * io.cloudkon.core.protocol.capacity.LedgerRules} in DynamoDB's condition expressions; the contract
 * suites verify that both agree. Thread safe.
 */
final class AwsCapacityLedger implements CapacityLedger {
  private final DynamoDbClient dynamo;
  private final String table;
  private final AwsLedgerChanges changes;

  AwsCapacityLedger(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
    this.changes = new AwsLedgerChanges(dynamo, table);
  }

  @Override
  public boolean change(LedgerChange change) {
    return changes.make(change);
  }

  @Override
  public boolean renew(Share share) {
    return update(
        share.key(),
        LedgerConditions.renewed(share),
        item -> Items.text(item, LedgerItems.OWNER).equals(share.owner()));
  }

  @Override
  public boolean renewReservation(String job, String worker, long leaseEnd) {
    return update(
        LedgerItems.RESERVATION,
        LedgerConditions.renewed(job, worker, leaseEnd),
        item ->
            Items.text(item, LedgerItems.JOB).equals(job)
                && Items.text(item, LedgerItems.WORKER).equals(worker));
  }

  @Override
  public boolean keep(String job, String worker, int before, int slots) {
    return update(
        LedgerItems.RESERVATION,
        LedgerConditions.held(job, worker, before, slots),
        item ->
            LedgerItems.reservation(item)
                .filter(now -> now.job().equals(job) && now.heldBy(worker) == slots)
                .isPresent());
  }

  /**
   * Updates an item.
   *
   * @param shows whether an item for which the condition does not hold shows the requested state
   */
  private boolean update(
      String id, Expression update, Predicate<Map<String, AttributeValue>> shows) {
    return Tables.update(dynamo, table, id, update, shows);
  }

  @Override
  public void put(Waiting waiting) {
    AwsCall.table("UpdateItem", table)
        .make(() ->
            dynamo.updateItem(
                LedgerConditions.written(waiting)
                    .request(table, LedgerItems.waitingKey(waiting.job()))));
  }

  @Override
  public void removeWaiting(String job, String worker) {
    Tables.delete(dynamo, table, LedgerItems.waitingKey(job), LedgerConditions.writtenBy(worker));
  }

  @Override
  public LedgerCounter counter() {
    return LedgerItems.counter(read(LedgerItems.COUNTER, true));
  }

  @Override
  public Optional<Reservation> reservation() {
    return LedgerItems.reservation(read(LedgerItems.RESERVATION, false));
  }

  private Map<String, AttributeValue> read(String id, boolean consistent) {
    return Tables.item(dynamo, table, id, consistent);
  }

  @Override
  public LedgerView view() {
    return LedgerItems.view(Tables.scan(dynamo, table));
  }
}
