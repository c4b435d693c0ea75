package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The table of slots: transactions that happen once for each token, and single writes. */
public final class SimLedger {
  private final Network network;
  private final CloudWatch watch;
  private final LedgerLaw law;
  private final Ledger ledger = new Ledger();

  /** The tokens of transactions that were carried out, which DynamoDB keeps for ten minutes. */
  private final Set<String> tokens = new HashSet<>();

  SimLedger(Network network, LedgerLaw law, CloudWatch watch) {
    this.network = network;
    this.watch = watch;
    this.law = law;
  }

  /** Carries out a transaction. */
  public void change(SimProcess caller, LedgerChange change, Reply<Boolean> reply) {
    write(caller, () -> "changes the ledger: " + change, () -> carryOut(change), reply);
  }

  private boolean carryOut(LedgerChange change) {
    boolean made = tokens.contains(change.token()) || law.change(ledger, change);
    if (made) {
      tokens.add(change.token());
    }
    return made;
  }

  /** Extends the lease of a share. */
  public void renew(SimProcess caller, Share share, Reply<Boolean> reply) {
    write(
        caller,
        () -> "renews %s until %d".formatted(share.key(), share.leaseEnd()),
        () -> law.renew(ledger, share),
        reply);
  }

  /** Extends the lease of the reservation. */
  public void renewReservation(
      SimProcess caller, String job, String worker, long leaseEnd, Reply<Boolean> reply) {
    write(
        caller,
        () -> "renews the reservation for %s until %d".formatted(job, leaseEnd),
        () -> LedgerRules.renew(ledger, job, worker, leaseEnd),
        reply);
  }

  /** Sets the number of slots that are kept for the reservation's job. */
  public void keep(
      SimProcess caller, String job, String worker, int before, int slots, Reply<Boolean> reply) {
    write(
        caller,
        () -> "keeps %d slots for %s, not %d".formatted(slots, job, before),
        () -> LedgerRules.keep(ledger, job, worker, before, slots),
        reply);
  }

  /** Records that a job waits. */
  public void put(SimProcess caller, Waiting waiting, Reply<Boolean> reply) {
    write(
        caller,
        () -> "waits: " + waiting,
        () -> {
          ledger.put(waiting);
          return true;
        },
        reply);
  }

  /** Records that a job no longer waits. */
  public void removeWaiting(SimProcess caller, String job, String worker, Reply<Boolean> reply) {
    write(
        caller,
        () -> "waits no more for " + job,
        () -> {
          ledger.removeWaiting(job, worker);
          return true;
        },
        reply);
  }

  private void write(
      SimProcess caller, Supplier<String> what, Supplier<Boolean> effect, Reply<Boolean> reply) {
    network.call(caller, Call.LEDGER_WRITE, 2, what, () -> effect.get(), reply);
  }

  /** Reads the whole ledger. */
  public void view(SimProcess caller, Reply<LedgerView> reply) {
    network.call(
        caller,
        Call.LEDGER_READ,
        1,
        () -> "reads the ledger",
        () -> {
          watch.ledgerRead(ledger.view().waiting());
          return law.seen(ledger.view());
        },
        reply);
  }

  /** Reads the reservation. */
  public void look(SimProcess caller, Reply<Optional<Reservation>> reply) {
    network.call(
        caller,
        Call.LEDGER_READ,
        1,
        () -> "looks for a reservation",
        () -> Optional.ofNullable(ledger.reservation()),
        reply);
  }

  /** Reads the sums. */
  public void counter(SimProcess caller, Reply<LedgerCounter> reply) {
    network.call(caller, Call.LEDGER_READ, 1, () -> "reads the sums", ledger::counter, reply);
  }

  /** The current ledger. */
  public LedgerView now() {
    return ledger.view();
  }
}
