package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.Later;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the ledger and reports the outcomes to the state machines. Waiting jobs are put and removed
 * in the order of these effects, because an item that is put after its removal would stay until a
 * sweep finds it; of the effects of one job that wait for their turn, only the latest is carried
 * out. Returns at once. Thread safe.
 */
final class LedgerCaller {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerCaller.class);

  private final CapacityLedger ledger;
  private final FleetReads fleet;
  private final String worker;
  private final TimeSource time;
  private final GangInbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final Executor io;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final LatestCalls waitingItems;

  LedgerCaller(
      CapacityLedger ledger,
      FleetReads fleet,
      String worker,
      TimeSource time,
      GangInbox inbox,
      Later later,
      BackOff backOff,
      Executor io) {
    this.ledger = ledger;
    this.fleet = fleet;
    this.worker = worker;
    this.time = time;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.io = io;
    this.waitingItems = new LatestCalls(io);
  }

  void call(CapacityEffect.Call call) {
    switch (call) {
      case CapacityEffect.Change change -> io.execute(() -> change(change.change()));
      case CapacityEffect.Renew renew -> io.execute(() -> quietly("renew a share", renewal(renew)));
      case CapacityEffect.RenewReservation renew ->
          io.execute(() -> quietly("renew the reservation", renewal(renew)));
      case CapacityEffect.PutWaiting put ->
          ofJob(put.waiting().job(), "record a waiting job", () -> ledger.put(put.waiting()));
      case CapacityEffect.RemoveWaiting remove ->
          ofJob(
              remove.job(),
              "remove a waiting job",
              () -> ledger.removeWaiting(remove.job(), remove.worker()));
      case CapacityEffect.View view ->
          io.execute(() -> {
            Moment begun = time.now();
            read("read the ledger", () -> viewed(begun));
          });
      case CapacityEffect.Look look ->
          io.execute(() ->
              read(
                  "look for a reservation",
                  () -> new GangEvent.Looked(ledger.reservation().orElse(null))));
      case CapacityEffect.LookForRoom look -> io.execute(() -> read("look for slots", this::room));
    }
  }

  private Runnable renewal(CapacityEffect.Renew renew) {
    return () ->
        inbox.tell(new GangEvent.Renewed(renew.share().key(), ledger.renew(renew.share())));
  }

  private Runnable renewal(CapacityEffect.RenewReservation renew) {
    return () ->
        inbox.tell(
            new GangEvent.ReservationRenewed(
                renew.job(),
                ledger.renewReservation(renew.job(), renew.worker(), renew.leaseEnd())));
  }

  private void ofJob(String job, String what, Runnable call) {
    waitingItems.call(job, () -> quietly(what, call));
  }

  /** Records how many slots are kept for the reservation's job. */
  void keep(SubWorkerEffect.Keep keep) {
    io.execute(() -> {
      boolean[] accepted = {false};
      quietly(
          "record reserved slots",
          () -> accepted[0] = ledger.keep(keep.job(), worker, keep.before(), keep.slots()));
      inbox.tell(new SubWorkerEvent.KeepAnswered(keep.job(), keep.slots(), accepted[0]));
    });
  }

  private void read(String what, Supplier<GangEvent> call) {
    if (!quietly(what, () -> inbox.tell(call.get()))) {
      inbox.tell(new GangEvent.ReadFailed());
    }
  }

  private GangEvent.Viewed viewed(Moment begun) {
    LedgerView view = ledger.view();
    return new GangEvent.Viewed(view, begun, fleet.after(view));
  }

  /** Reads the sums last, because the next admission is based on them. */
  private GangEvent.Looked room() {
    @Nullable Reservation reservation = ledger.reservation().orElse(null);
    return new GangEvent.Looked(ledger.counter(), reservation);
  }

  private void change(LedgerChange change) {
    try {
      boolean accepted = ledger.change(change);
      failures.remove(change.token());
      inbox.tell(new GangEvent.Changed(change.token(), accepted));
    } catch (RuntimeException | Error e) {
      // Catches everything, because a change without an answer would never be made again.
      int failed = failures.merge(change.token(), 1, Integer::sum);
      failed("change the ledger", e);
      later.after(
          backOff.millis(failed), () -> inbox.tell(new GangEvent.ChangeFailed(change.token())));
    }
  }

  /** Returns whether the call succeeded; the next turn repeats a call that failed. */
  private static boolean quietly(String what, Runnable call) {
    try {
      call.run();
      return true;
    } catch (RuntimeException | Error e) {
      failed(what, e);
      return false;
    }
  }

  private static void failed(String what, Throwable e) {
    if (e instanceof TransientServiceException || e instanceof RefusedException) {
      LOG.debug("could not {}: {}", what, e.getMessage());
    } else {
      LOG.warn("could not {}, trying again", what, e);
    }
  }
}
