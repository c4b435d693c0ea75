package io.cloudkon.core.memory;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one cluster in memory, by {@link LedgerRules}. A change that was carried out is
 * known by its token, as it is to DynamoDB for 10 minutes: it happens once, however late a copy of
 * it comes. Thread safe.
 */
final class MemoryCapacityLedger implements CapacityLedger {
  private static final String KEY = "ledger";
  private final MemoryTable<Kept> table;

  MemoryCapacityLedger(MemoryTable<Kept> table) {
    this.table = table;
  }

  /** A ledger, and the latest changes that it carried out, by their tokens. */
  static final class Kept {
    private static final int CHANGES = 10_000;

    private final Ledger ledger = new Ledger();
    private final Map<String, LedgerChange> made =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, LedgerChange> eldest) {
            return size() > CHANGES;
          }
        };

    private boolean change(LedgerChange change) {
      @Nullable LedgerChange before = made.get(change.token());
      if (before == null) {
        boolean carriedOut = LedgerRules.change(ledger, change);
        if (carriedOut) {
          made.put(change.token(), change);
        }
        return carriedOut;
      }
      if (!before.equals(change)) {
        throw new CloudKonException(
            "token '%s' is another change's of this ledger: each needs its own"
                .formatted(change.token()));
      }
      return true;
    }
  }

  private <R> R kept(Function<Kept, R> use) {
    return table.with(items -> use.apply(items.computeIfAbsent(KEY, key -> new Kept())));
  }

  private <R> R with(Function<Ledger, R> use) {
    return kept(kept -> use.apply(kept.ledger));
  }

  @Override
  public boolean change(LedgerChange change) {
    return kept(kept -> kept.change(change));
  }

  @Override
  public boolean renew(Share share) {
    return with(ledger -> LedgerRules.renew(ledger, share));
  }

  @Override
  public boolean renewReservation(String job, String worker, long leaseEnd) {
    return with(ledger -> LedgerRules.renew(ledger, job, worker, leaseEnd));
  }

  @Override
  public boolean keep(String job, String worker, int before, int slots) {
    return with(ledger -> LedgerRules.keep(ledger, job, worker, before, slots));
  }

  @Override
  public void put(Waiting waiting) {
    with(ledger -> {
      ledger.put(waiting);
      return true;
    });
  }

  @Override
  public void removeWaiting(String job, String worker) {
    with(ledger -> {
      ledger.removeWaiting(job, worker);
      return true;
    });
  }

  @Override
  public LedgerCounter counter() {
    return with(Ledger::counter);
  }

  @Override
  public Optional<Reservation> reservation() {
    return with(ledger -> Optional.ofNullable(ledger.reservation()));
  }

  @Override
  public LedgerView view() {
    return with(Ledger::view);
  }
}
