package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes of the ledger, each as a transaction that expresses {@link
 * io.cloudkon.core.protocol.capacity.LedgerRules#change} in DynamoDB's condition expressions.
 *
 * <p>The slots of a removed item must be subtracted from the counter, but an expression cannot read
 * another item. So the number that was read is part of the condition; if the item has another
 * number, the answer shows it, and the change is repeated with that number.
 */
final class AwsLedgerChanges {
  private final DynamoDbClient dynamo;
  private final String table;

  AwsLedgerChanges(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  boolean make(LedgerChange change) {
    return switch (change) {
      case LedgerChange.Join join -> join(join);
      case LedgerChange.Admit admit -> admit(admit);
      case LedgerChange.AdmitReserved admit -> admitReserved(admit);
      case LedgerChange.Remove remove -> remove(remove, remove.share(), remove.token());
      case LedgerChange.Reserve reserve -> reserve(reserve);
      case LedgerChange.Unreserve unreserve ->
          unreserve(unreserve, unreserve.reservation().ranks(), unreserve.token());
    };
  }

  private boolean join(LedgerChange.Join join) {
    Optional<Refusal> refusal =
        new Transaction(table)
            .insert(LedgerItems.encode(join.worker()))
            .update(LedgerItems.COUNTER, LedgerConditions.counter(join.worker().freed(), 0))
            .send(dynamo, join.token());
    return refusal.isEmpty() || mine(refusal.get().item(0), join.worker());
  }

  private boolean admit(LedgerChange.Admit admit) {
    List<Share> gangs = admit.gangs();
    Transaction transaction = new Transaction(table);
    gangs.forEach(gang -> transaction.insert(LedgerItems.encode(gang)));
    Optional<Refusal> refusal =
        transaction
            .update(
                LedgerItems.COUNTER, LedgerConditions.taken(admit.slots(), admit.reservedSeen()))
            .send(dynamo, admit.token());
    return refusal.isEmpty()
        || IntStream.range(0, gangs.size())
            .allMatch(i -> mine(refusal.get().item(i), gangs.get(i)));
  }

  private boolean admitReserved(LedgerChange.AdmitReserved admit) {
    Share gang = admit.gang();
    Optional<Reservation> found =
        LedgerItems.reservation(read(LedgerItems.RESERVATION))
            .filter(reservation -> reservation.job().equals(gang.job()));
    if (found.isEmpty()) {
      return mine(read(gang.key()), gang);
    }
    Reservation promise = found.get();
    Optional<Refusal> refusal =
        new Transaction(table)
            .insert(LedgerItems.encode(gang))
            .update(LedgerItems.RESERVATION, LedgerConditions.kept(gang, promise.ranks()))
            .update(LedgerItems.COUNTER, LedgerConditions.promised(gang.slots(), promise.ranks()))
            .send(dynamo, admit.token());
    if (refusal.isEmpty() || mine(refusal.get().item(0), gang)) {
      return true;
    }
    boolean changed =
        LedgerItems.reservation(refusal.get().item(1))
            .filter(now -> now.ranks() != promise.ranks())
            .isPresent();
    if (changed) {
      throw conflict(LedgerItems.RESERVATION);
    }
    return false;
  }

  /** Removes the share, if it has as many slots as {@code as}. */
  private boolean remove(LedgerChange.Remove remove, Share as, String token) {
    Optional<Refusal> refusal =
        new Transaction(table)
            .delete(as.key(), LedgerConditions.stands(as, remove.swept()))
            .update(LedgerItems.COUNTER, LedgerConditions.counter(-as.freed(), 0))
            .send(dynamo, token);
    if (refusal.isEmpty()) {
      return true;
    }
    Share seen = remove.share();
    Optional<Share> removable =
        LedgerItems.share(refusal.get().item(0))
            .filter(now -> now.owner().equals(seen.owner()))
            .filter(now -> !remove.swept() || now.leaseEnd() == seen.leaseEnd());
    if (removable.isEmpty()) {
      return false;
    }
    Share now = removable.get();
    return remove(remove, now, again(remove.token(), token, now.slots(), now.key()));
  }

  private boolean reserve(LedgerChange.Reserve reserve) {
    Reservation wanted = reserve.reservation();
    Optional<Refusal> refusal =
        new Transaction(table)
            .insert(LedgerItems.encode(wanted))
            .update(LedgerItems.COUNTER, LedgerConditions.counter(0, wanted.ranks()))
            .send(dynamo, reserve.token());
    return refusal.isEmpty()
        || LedgerItems.reservation(refusal.get().item(0))
            .filter(now -> now.job().equals(wanted.job()))
            .filter(now -> now.worker().equals(wanted.worker()))
            .isPresent();
  }

  /** Ends the reservation, if it is for that many ranks. */
  private boolean unreserve(LedgerChange.Unreserve unreserve, int ranks, String token) {
    Reservation seen = unreserve.reservation();
    Transaction transaction =
        new Transaction(table)
            .delete(
                LedgerItems.RESERVATION, LedgerConditions.stands(seen, ranks, unreserve.swept()));
    if (!seen.admitted()) {
      transaction.update(LedgerItems.COUNTER, LedgerConditions.counter(0, -ranks));
    }
    Optional<Refusal> refusal = transaction.send(dynamo, token);
    if (refusal.isEmpty()) {
      return true;
    }
    Optional<Reservation> removable =
        LedgerItems.reservation(refusal.get().item(0))
            .filter(now -> now.job().equals(seen.job()) && now.worker().equals(seen.worker()))
            .filter(now -> now.admitted() == seen.admitted())
            .filter(now -> !unreserve.swept() || now.leaseEnd() == seen.leaseEnd());
    if (removable.isEmpty()) {
      return false;
    }
    int now = removable.get().ranks();
    return unreserve(unreserve, now, again(unreserve.token(), token, now, LedgerItems.RESERVATION));
  }

  private Map<String, AttributeValue> read(String id) {
    return Tables.item(dynamo, table, id, true);
  }

  /**
   * The token of a second try, which differs from the first request and would be refused with the
   * first token.
   */
  private String again(String original, String sent, int number, String id) {
    if (!sent.equals(original)) {
      throw conflict(id);
    }
    return UUID.nameUUIDFromBytes((original + '/' + number).getBytes(UTF_8)).toString();
  }

  private TransientServiceException conflict(String id) {
    return new TransientServiceException(
        "item '%s' of table '%s' changes all the time".formatted(id, table), null);
  }

  private static boolean mine(Map<String, AttributeValue> item, Share share) {
    return LedgerItems.share(item)
        .filter(now -> now.owner().equals(share.owner()) && now.slots() == share.slots())
        .isPresent();
  }
}
