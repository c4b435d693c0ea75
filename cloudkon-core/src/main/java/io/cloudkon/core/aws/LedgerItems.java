package io.cloudkon.core.aws;

import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The ledger as items. Shares and the reservation have no ttl: DynamoDB would remove them without
 * the counter.
 */
final class LedgerItems {
  static final String COUNTER = "counter";
  static final String RESERVATION = "reservation";

  static final String FREE = "free";
  static final String RESERVED = "reserved";
  static final String OWNER = "owner";
  static final String SLOTS = "slots";
  static final String JOB = "job";
  static final String RANKS = "ranks";
  static final String WORKER = "worker";
  static final String ADMITTED = "admitted";
  static final String LEASE_END = "leaseEnd";
  static final String SINCE = "since";

  /** The number of slots that each worker keeps empty for the reservation's job. */
  static final String KEEPERS = "keepers";

  /**
   * How many more slots may be kept for it, because an expression cannot sum up the values of a
   * map.
   */
  static final String ROOM = "room";

  /** A waiting job's item is not needed after its lease; it is kept for display. */
  private static final Duration WAITING_KEPT = Duration.ofDays(1);

  private static final String KIND = "kind";
  private static final String WAITING_PREFIX = "waiting/";

  private LedgerItems() {}

  static String waitingKey(String job) {
    return WAITING_PREFIX + job;
  }

  static Map<String, AttributeValue> encode(Share share) {
    return Map.of(
        Items.ID,
        Items.of(share.key()),
        KIND,
        Items.of(share.kind().name()),
        OWNER,
        Items.of(share.owner()),
        SLOTS,
        Items.of(share.slots()),
        JOB,
        Items.of(share.job()),
        LEASE_END,
        Items.of(share.leaseEnd()));
  }

  static Map<String, AttributeValue> encode(Waiting waiting) {
    return Map.of(
        Items.ID,
        Items.of(waitingKey(waiting.job())),
        JOB,
        Items.of(waiting.job()),
        RANKS,
        Items.of(waiting.ranks()),
        SINCE,
        Items.of(waiting.since()),
        WORKER,
        Items.of(waiting.worker()),
        LEASE_END,
        Items.of(waiting.leaseEnd()),
        Items.TTL,
        Items.of(waiting.leaseEnd() / 1000 + WAITING_KEPT.toSeconds()));
  }

  static Map<String, AttributeValue> encode(Reservation reservation) {
    Map<String, AttributeValue> keepers = HashMap.newHashMap(reservation.held().size());
    reservation.held().forEach((worker, slots) -> keepers.put(worker, Items.of(slots)));
    return Map.of(
        Items.ID,
        Items.of(RESERVATION),
        JOB,
        Items.of(reservation.job()),
        RANKS,
        Items.of(reservation.ranks()),
        WORKER,
        Items.of(reservation.worker()),
        ADMITTED,
        AttributeValue.fromBool(reservation.admitted()),
        KEEPERS,
        AttributeValue.fromM(keepers),
        ROOM,
        Items.of(reservation.ranks() - reservation.heldInAll()),
        LEASE_END,
        Items.of(reservation.leaseEnd()));
  }

  /** The totals; a missing item means an empty ledger. */
  static LedgerCounter counter(Map<String, AttributeValue> item) {
    return new LedgerCounter((int) Items.number(item, FREE), (int) Items.number(item, RESERVED));
  }

  /** A share, if there is an item. */
  static Optional<Share> share(Map<String, AttributeValue> item) {
    return item.isEmpty() ? Optional.empty() : Optional.of(decodeShare(item));
  }

  /** The reservation, if there is an item. */
  static Optional<Reservation> reservation(Map<String, AttributeValue> item) {
    return item.isEmpty() ? Optional.empty() : Optional.of(decodeReservation(item));
  }

  /** A whole ledger, by the keys of its items. */
  static LedgerView view(List<Map<String, AttributeValue>> items) {
    LedgerCounter counter = LedgerCounter.NONE;
    List<Share> shares = new ArrayList<>();
    List<Waiting> waiting = new ArrayList<>();
    @Nullable Reservation reservation = null;
    for (Map<String, AttributeValue> item : items) {
      String id = Items.text(item, Items.ID);
      if (id.equals(COUNTER)) {
        counter = counter(item);
      } else if (id.equals(RESERVATION)) {
        reservation = decodeReservation(item);
      } else if (id.startsWith(WAITING_PREFIX)) {
        waiting.add(decodeWaiting(item));
      } else {
        shares.add(decodeShare(item));
      }
    }
    return new LedgerView(counter, shares, waiting, reservation);
  }

  private static Share decodeShare(Map<String, AttributeValue> item) {
    Share.Kind kind = Share.Kind.valueOf(Items.text(item, KIND));
    return new Share(
        kind,
        Items.text(item, Items.ID).substring(Share.key(kind, "").length()),
        Items.text(item, OWNER),
        (int) Items.number(item, SLOTS),
        Items.text(item, JOB),
        Items.number(item, LEASE_END));
  }

  private static Waiting decodeWaiting(Map<String, AttributeValue> item) {
    return new Waiting(
        Items.text(item, JOB),
        (int) Items.number(item, RANKS),
        // A worker of a former version may have written 0.
        Math.max(1, Items.number(item, SINCE)),
        Items.text(item, WORKER),
        Items.number(item, LEASE_END));
  }

  private static Reservation decodeReservation(Map<String, AttributeValue> item) {
    Map<String, Integer> held = new HashMap<>();
    @Nullable AttributeValue keepers = item.get(KEEPERS);
    if (keepers != null && keepers.hasM()) {
      keepers.m().forEach((worker, slots) -> held.put(worker, Integer.valueOf(slots.n())));
    }
    return new Reservation(
        Items.text(item, JOB),
        (int) Items.number(item, RANKS),
        Items.text(item, WORKER),
        Items.flag(item, ADMITTED),
        held,
        Items.number(item, LEASE_END));
  }
}
