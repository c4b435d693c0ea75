package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.SeatPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Takes a sub-worker's ranks from their manager's answer to their end. */
final class RankLifecycle {
  private final GangSettings settings;
  private final WorkerExit exit;
  private final Seats seats;
  private final RankOffers offers;
  private final Consumer<SubWorkerEffect> out;

  RankLifecycle(
      GangSettings settings,
      WorkerExit exit,
      Seats seats,
      RankOffers offers,
      Consumer<SubWorkerEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.seats = seats;
    this.offers = offers;
    this.out = out;
  }

  // ---- they are asked for

  void welcomed(SubWorkerEvent.Welcomed welcomed, Moment now) {
    Seat seat = seats.find(welcomed.gang());
    if (seat == null) {
      return;
    }
    if (!welcomed.accepted().isEmpty()) {
      if (seat.phase() == SeatPhase.REGISTERING) {
        seat.move(Trigger.WELCOME);
      }
      seat.alive(welcomed.begun(), welcomed.leaseMillis(), settings);
      if (exit.takesNothing()) {
        seat.beatNow();
      } else {
        seat.beatNotBefore(welcomed.begun().mono() + settings.beat());
      }
    }
    answered(seat, welcomed.asked(), welcomed.accepted(), SubWorkerEffect.DeleteOffers::new);
    startEarly(seat, now);
  }

  void registerFailed(SubWorkerEvent.RegisterFailed failed, Moment now) {
    Seat seat = seats.find(failed.gang());
    if (seat != null) {
      offers.takeNoneOf(seat.gang);
      answered(seat, failed.asked(), List.of(), SubWorkerEffect.DeleteOffers::new);
      startEarly(seat, now);
    }
  }

  /** Leaves the offers to other workers: the gang exists, but cannot start ranks here. */
  void unreached(SubWorkerEvent.Unreached unreached, Moment now) {
    Seat seat = seats.find(unreached.gang());
    if (seat != null) {
      answered(seat, unreached.asked(), List.of(), SubWorkerEffect.PutBackOffers::new);
      startEarly(seat, now);
    }
  }

  /**
   * Treats an unanswered request for ranks as refused, so that it does not hold slots forever. A
   * driver normally answers within seconds; an answer that arrives later is ignored.
   */
  void giveUpQuestions(Moment now) {
    for (Seat seat : seats.copy()) {
      if (seat.unanswered(settings.lease().lease(), now)) {
        List<Integer> asked = List.copyOf(seat.asking.keySet());
        registerFailed(new SubWorkerEvent.RegisterFailed(seat.gang, asked), now);
      }
    }
  }

  /**
   * Handles the answer to a request for ranks.
   *
   * @param then what becomes of their offers
   */
  private void answered(
      Seat seat,
      List<Integer> asked,
      List<Integer> accepted,
      Function<List<String>, SubWorkerEffect> then) {
    List<String> handles = new ArrayList<>();
    for (int rank : asked) {
      String handle = seat.asking.remove(rank);
      if (handle == null) {
        // An answer from before this worker forgot the gang: no slot is kept for it any more.
        continue;
      }
      handles.add(handle);
      if (accepted.contains(rank)) {
        seat.ranks.add(rank);
      }
    }
    if (!handles.isEmpty()) {
      out.accept(then.apply(handles));
    }
    if (seat.phase() == SeatPhase.REGISTERING && seat.asking.isEmpty()) {
      seat.move(Trigger.REFUSED);
      forget(seat);
    }
  }

  // ---- they start

  void startOrdered(SubWorkerEvent.StartOrdered order, Moment now) {
    Seat seat = seats.find(order.gang());
    if (seat != null && seat.awaits(order)) {
      SubWorkerEvent.StartOrdered former = seat.early;
      seat.early = order;
      if (former != null) {
        answer(former, false); // a copy, for whose answer nobody waits any more
      }
      return;
    }
    // A delayed copy: the ranks run or have ended. A gang serves an attempt only once.
    boolean again = seat != null && seat.hasServed(order);
    boolean starts =
        seat != null
            && !again
            && seat.phase() == SeatPhase.SEATED
            && !exit.killing()
            && !seat.over(now)
            && seat.ranks.containsAll(order.ranks());
    if (seat != null && starts) {
      seat.start(order, now);
    }
    answer(order, starts || again);
  }

  /**
   * Handles an early order to start when the answer that it waited for has arrived or will never
   * arrive.
   */
  private void startEarly(Seat seat, Moment now) {
    SubWorkerEvent.StartOrdered early = seat.early;
    if (early != null && !(seats.has(seat) && seat.awaits(early))) {
      seat.early = null;
      startOrdered(early, now);
    }
  }

  private void answer(SubWorkerEvent.StartOrdered order, boolean starts) {
    out.accept(new SubWorkerEffect.StartAnswer(order.call(), order.gang(), starts));
  }

  // ---- they end

  void ended(SubWorkerEvent.RankEnded event) {
    Seat seat = seats.find(event.gang());
    if (seat == null || !seat.ended(event.end())) {
      return;
    }
    switch (seat.phase()) {
      case GONE -> forget(seat);
      case SEATED -> seat.beatNow();
      case RUNNING, STOPPING, LEAVING -> {
        if (event.end().how() != GangEvent.How.WELL) {
          seat.beatNow();
        }
      }
      case REGISTERING -> {}
    }
  }

  void killOrdered(SubWorkerEvent.KillOrdered order) {
    Seat seat = seats.find(order.gang());
    if (seat != null && seat.runs(order.job(), order.attempt())) {
      stop(seat);
    }
  }

  /** Stops the running ranks. */
  void stop(Seat seat) {
    if (seat.phase() == SeatPhase.RUNNING) {
      seat.move(Trigger.STOP);
      kill(seat);
    }
  }

  private void kill(Seat seat) {
    out.accept(new SubWorkerEffect.KillRanks(seat.gang, seat.runs(), seat.attempt()));
  }

  /** Leaves a gang, which no longer relies on this worker: its ranks are stopped. */
  void leave(Seat seat) {
    offers.takeNoneOf(seat.gang);
    switch (seat.phase()) {
      case REGISTERING, SEATED -> {
        seat.move(Trigger.LEAVE);
        if (!seat.asking.isEmpty()) {
          out.accept(new SubWorkerEffect.DeleteOffers(List.copyOf(seat.asking.values())));
        }
        forget(seat);
      }
      case RUNNING -> {
        seat.move(Trigger.LEAVE);
        kill(seat);
      }
      case STOPPING -> seat.move(Trigger.LEAVE);
      case LEAVING, GONE -> {}
    }
  }

  private void forget(Seat seat) {
    seats.remove(seat);
    SubWorkerEvent.StartOrdered early = seat.early;
    if (early != null) {
      seat.early = null;
      answer(early, false);
    }
    out.accept(new SubWorkerEffect.Forget(seat.gang));
  }
}
