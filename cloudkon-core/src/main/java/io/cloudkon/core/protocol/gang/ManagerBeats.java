package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;

/**
 * Sends a sub-worker's heartbeats with the ends of its ranks to their managers, and stops ranks
 * whose manager is silent.
 */
final class ManagerBeats {
  private static final long AGAIN_MILLIS = 250;

  private final GangSettings settings;
  private final WorkerExit exit;
  private final Seats seats;
  private final RankLifecycle ranks;
  private final Consumer<SubWorkerEffect> out;

  ManagerBeats(
      GangSettings settings,
      WorkerExit exit,
      Seats seats,
      RankLifecycle ranks,
      Consumer<SubWorkerEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.seats = seats;
    this.ranks = ranks;
    this.out = out;
  }

  void decide(Moment now) {
    for (Seat seat : seats.copy()) {
      if (seat.over(now)) {
        ranks.leave(seat);
      } else if (seat.beatDue(now)) {
        boolean leaving = exit.takesNothing();
        out.accept(new SubWorkerEffect.Beat(seat.gang, seat.beat(leaving), leaving));
      }
    }
  }

  void answered(SubWorkerEvent.Answered answered) {
    Seat seat = seats.find(answered.gang());
    if (seat == null) {
      return;
    }
    // Counted from the time of the request, like the ranks' permitted time, because the answer may
    // have taken long.
    seat.beatAnswered(answered.begun().mono() + settings.beat());
    if (!answered.known()) {
      ranks.leave(seat);
      return;
    }
    seat.told(answered.told(), exit.takesNothing());
    seat.alive(answered.begun(), answered.leaseMillis(), settings);
    if (answered.leaseMillis() == 0 && seat.startedBefore(answered.begun())) {
      ranks.stop(seat);
    }
  }

  void failed(String gang, Moment now) {
    Seat seat = seats.find(gang);
    if (seat != null) {
      seat.beatFailed(now.mono() + Math.min(AGAIN_MILLIS, settings.beat()));
    }
  }

  /** Tells every manager at once that the worker leaves their gangs. */
  void tellAll() {
    seats.copy().forEach(Seat::beatNow);
  }
}
