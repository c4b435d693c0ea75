package io.cloudkon.core.aws;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The changes and conditions of each write to the ledger. */
final class LedgerConditions {
  private LedgerConditions() {}

  /** A change of the counter without a condition; a missing value counts as 0. */
  static Expression counter(int freed, int reserved) {
    Expression sums = new Expression();
    if (freed != 0) {
      sums.add(LedgerItems.FREE, freed);
    }
    if (reserved != 0) {
      sums.add(LedgerItems.RESERVED, reserved);
    }
    return sums;
  }

  /** Takes free slots, if the reserved slots remain and their number has not changed. */
  static Expression taken(int slots, int reservedSeen) {
    Expression sums = counter(-slots, 0);
    String asSeen = equal(sums, LedgerItems.RESERVED, Items.of(reservedSeen));
    if (reservedSeen == 0) {
      asSeen =
          "(attribute_not_exists(%s) OR %s)".formatted(sums.name(LedgerItems.RESERVED), asSeen);
    }
    return sums.onlyIf(asSeen + " AND " + free(sums, (long) slots + reservedSeen));
  }

  /** The counter without slots that were promised, if there are so many. */
  static Expression promised(int slots, int ranks) {
    Expression sums = counter(-slots, -ranks);
    return sums.onlyIf(free(sums, slots));
  }

  /** Marks the reservation as admitted. */
  static Expression kept(Share gang, int ranks) {
    Expression update = new Expression().set(LedgerItems.ADMITTED, AttributeValue.fromBool(true));
    return update.onlyIf(
        String.join(
            " AND ",
            equal(update, LedgerItems.JOB, Items.of(gang.job())),
            equal(update, LedgerItems.WORKER, Items.of(gang.owner())),
            equal(update, LedgerItems.RANKS, Items.of(ranks)),
            "%s=%s"
                .formatted(
                    update.name(LedgerItems.ADMITTED),
                    update.value("not", AttributeValue.fromBool(false)))));
  }

  /** The share exists with this owner and number of slots and, if it is swept, with this lease. */
  static Expression stands(Share share, boolean swept) {
    Expression in = new Expression();
    String same =
        equal(in, LedgerItems.OWNER, Items.of(share.owner()))
            + " AND "
            + equal(in, LedgerItems.SLOTS, Items.of(share.slots()));
    return in.onlyIf(swept ? same + " AND " + lease(in, share.leaseEnd()) : same);
  }

  /** The same for the reservation. */
  static Expression stands(Reservation seen, int ranks, boolean swept) {
    Expression in = new Expression();
    String same =
        String.join(
            " AND ",
            equal(in, LedgerItems.JOB, Items.of(seen.job())),
            equal(in, LedgerItems.WORKER, Items.of(seen.worker())),
            equal(in, LedgerItems.RANKS, Items.of(ranks)),
            equal(in, LedgerItems.ADMITTED, AttributeValue.fromBool(seen.admitted())));
    return in.onlyIf(swept ? same + " AND " + lease(in, seen.leaseEnd()) : same);
  }

  /** Extends the lease of the share, if it belongs to this owner. */
  static Expression renewed(Share share) {
    Expression update = new Expression();
    return later(
        update, share.leaseEnd(), equal(update, LedgerItems.OWNER, Items.of(share.owner())));
  }

  /** Extends the lease of the reservation, if it belongs to this job and worker. */
  static Expression renewed(String job, String worker, long leaseEnd) {
    Expression update = new Expression();
    return later(
        update,
        leaseEnd,
        equal(update, LedgerItems.JOB, Items.of(job))
            + " AND "
            + equal(update, LedgerItems.WORKER, Items.of(worker)));
  }

  private static Expression later(Expression update, long leaseEnd, String ofWhom) {
    return update
        .set(LedgerItems.LEASE_END, Items.of(leaseEnd))
        .onlyIf(
            "%s AND %s<%s"
                .formatted(
                    ofWhom,
                    update.name(LedgerItems.LEASE_END),
                    update.value(LedgerItems.LEASE_END, Items.of(leaseEnd))));
  }

  /**
   * Sets the number of slots that a worker keeps, if it kept {@code before} slots and the job lacks
   * the additional ones.
   */
  static Expression held(String job, String worker, int before, int slots) {
    Expression update = new Expression();
    int more = slots - before;
    String kept = update.name(LedgerItems.KEEPERS) + '.' + update.name("keeper", worker);
    String asSaid = kept + '=' + update.value("before", Items.of(before));
    if (before == 0) {
      asSaid = "(attribute_not_exists(%s) OR %s)".formatted(kept, asSaid);
    }
    if (more != 0) {
      update.setPath(kept, "kept", Items.of(slots));
    }
    return update
        .add(LedgerItems.ROOM, -more)
        .onlyIf(
            "%s AND %s AND %s>=%s"
                .formatted(
                    equal(update, LedgerItems.JOB, Items.of(job)),
                    asSaid,
                    update.name(LedgerItems.ROOM),
                    update.value("more", Items.of(more))));
  }

  /** Writes a waiting job over its entry, except for the time since which it waits. */
  static Expression written(Waiting waiting) {
    Expression update = new Expression();
    LedgerItems.encode(waiting)
        .forEach((attribute, value) -> {
          switch (attribute) {
            case Items.ID -> {}
            case LedgerItems.SINCE -> update.setIfAbsent(attribute, value);
            default -> update.set(attribute, value);
          }
        });
    return update;
  }

  /** A waiting job's item exists and was written by this worker. */
  static Expression writtenBy(String worker) {
    Expression in = new Expression();
    return in.onlyIf(equal(in, LedgerItems.WORKER, Items.of(worker)));
  }

  private static String free(Expression in, long least) {
    return "%s>=%s".formatted(in.name(LedgerItems.FREE), in.value("least", Items.of(least)));
  }

  private static String lease(Expression in, long end) {
    return equal(in, LedgerItems.LEASE_END, Items.of(end));
  }

  private static String equal(Expression in, String attribute, AttributeValue value) {
    return "%s=%s".formatted(in.name(attribute), in.value("seen_" + attribute, value));
  }
}
