package io.cloudkon.worker.lifetime;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.idle.IdleEffect;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the cluster's tables for an idle worker before it ends. Each question is answered exactly
 * once, whatever happens. If a table does not exist, the cluster was torn down or has no
 * provisioner, so the worker is not needed. Thread safe.
 */
final class IdleCaller {
  private static final Logger LOG = LoggerFactory.getLogger(IdleCaller.class);

  private final CapacityLedger ledger;
  private final DecisionStore decisions;
  private final String worker;
  private final TimeSource time;
  private final long marginMillis;
  private final Executor io;
  private final Consumer<IdleEvent> inbox;

  /**
   * Asks nothing yet.
   *
   * @param marginMillis the maximum difference between clocks
   * @param io runs calls that may block
   * @param inbox receives the answers
   */
  IdleCaller(
      CapacityLedger ledger,
      DecisionStore decisions,
      String worker,
      TimeSource time,
      long marginMillis,
      Executor io,
      Consumer<IdleEvent> inbox) {
    this.ledger = ledger;
    this.decisions = decisions;
    this.worker = worker;
    this.time = time;
    this.marginMillis = marginMillis;
    this.io = io;
    this.inbox = inbox;
  }

  void lookForJobs() {
    ask(this::jobs, new IdleEvent.JobsSeen(false, 0));
  }

  void readMinimum() {
    ask(this::minimum, new IdleEvent.MinimumRead(0, 0));
  }

  void sit(IdleEffect.Sit sit) {
    ask(
        () ->
            new IdleEvent.SeatAnswered(
                sit.seat(),
                decisions.sit(
                    new IdleSeat(sit.seat(), worker, sit.leaseEnd()), sit.expiredBefore())),
        new IdleEvent.SeatAnswered(sit.seat(), false));
  }

  private void ask(Supplier<IdleEvent> question, IdleEvent ifMissing) {
    io.execute(() -> {
      IdleEvent answer;
      try {
        answer = question.get();
      } catch (MissingResourceException e) {
        answer = ifMissing;
      } catch (RuntimeException | Error e) {
        // Catches everything: a question without an answer would be the last one.
        LOG.debug("an idle worker could not ask whether it is needed: {}", e.toString());
        answer = new IdleEvent.Unanswered(e.toString());
      }
      inbox.accept(answer);
    });
  }

  private IdleEvent jobs() {
    LedgerView view = ledger.view();
    return new IdleEvent.JobsSeen(waits(view), view.shares().size());
  }

  /** Whether any job waits, whatever its size, because later jobs may need this worker too. */
  private boolean waits(LedgerView view) {
    long alive = time.serviceMillis() - marginMillis;
    Reservation reservation = view.reservation();
    return (reservation != null && reservation.leaseEnd() >= alive)
        || view.waiting().stream().anyMatch(job -> job.leaseEnd() >= alive);
  }

  private IdleEvent minimum() {
    Optional<ProvisionerEntry> entry = decisions.provisioner();
    return new IdleEvent.MinimumRead(
        entry.map(e -> e.settings().min()).orElse(0),
        entry.map(ProvisionerEntry::updatedMillis).orElse(0L));
  }

  void giveBack(int seat) {
    io.execute(() -> {
      try {
        decisions.leave(seat, worker);
      } catch (RuntimeException | Error e) {
        LOG.debug("seat {} was not given back, it expires: {}", seat, e.toString());
      }
    });
  }
}
