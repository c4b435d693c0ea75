package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.CapacityMachine;
import io.cloudkon.core.protocol.capacity.CapacityPhase;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The manager's view of the ledger: its requests, and what was read last. */
final class SlotLedger {
  private final GangSettings settings;
  private final CapacityMachine capacity;
  private final Consumer<GangEffect> out;

  SlotLedger(GangSettings settings, CapacityMachine capacity, Consumer<GangEffect> out) {
    this.settings = settings;
    this.capacity = capacity;
    this.out = out;
  }

  // ---- what was read

  /** This worker's slots count in the ledger. */
  boolean in() {
    return capacity.phase() == CapacityPhase.IN;
  }

  /** Free slots, of which some may be reserved. */
  int free() {
    return capacity.counter().free();
  }

  /** Free slots that are nobody's reservation. */
  int room() {
    return capacity.counter().free() - capacity.counter().reserved();
  }

  /** Null if there is none. */
  @Nullable Reservation reservation() {
    return capacity.reservation();
  }

  /** The reservation for which this worker has the job; null if there is none. */
  @Nullable Reservation ownReservation() {
    Reservation reservation = capacity.reservation();
    return reservation != null && reservation.worker().equals(settings.worker())
        ? reservation
        : null;
  }

  boolean isReservedFor(Job job) {
    Reservation reservation = capacity.reservation();
    return reservation != null && reservation.job().equals(job.id());
  }

  // ---- what is asked

  /** See {@link CapacityMachine#look}. */
  void look() {
    capacity.look();
  }

  void admit(List<Share> wanted) {
    ask(capacity.admit(wanted));
  }

  void admitReserved(Share wanted) {
    ask(capacity.admitReserved(wanted));
  }

  /** A gang needs its slots no more. */
  void free(Gang gang) {
    ask(capacity.free(gang.id));
  }

  void reserve(Waiting job, Moment now) {
    ask(capacity.reserve(job, now));
  }

  /** The job needs no reservation any more. */
  void unreserve(String job) {
    ask(capacity.unreserve(job));
  }

  /** Says that a job waits, so long as nothing else is said, once each heartbeat. */
  void await(Job job, Moment now) {
    if (job.putsWaitingItem(now)) {
      capacity.look();
      long leaseEnd = now.service() + settings.lease().lease();
      ask(
          capacity.await(
              new Waiting(job.id(), job.ranks, job.since(), settings.worker(), leaseEnd)));
    }
  }

  void awaitNoMore(Job job) {
    if (job.dropsWaitingItem()) {
      ask(capacity.awaitNoMore(job.id()));
    }
  }

  /** The worker leaves. */
  void leave() {
    ask(capacity.leave());
  }

  private void ask(List<CapacityEffect> effects) {
    for (CapacityEffect effect : effects) {
      switch (effect) {
        case CapacityEffect.Call call -> out.accept(new GangEffect.OfLedger(call));
        case CapacityEffect.Reserved reserved -> tell(reserved);
        case CapacityEffect.Admitted e -> throw notAsked(e);
        case CapacityEffect.Refused e -> throw notAsked(e);
        case CapacityEffect.Lost e -> throw notAsked(e);
        case CapacityEffect.Viewed e -> throw notAsked(e);
      }
    }
  }

  private static IllegalStateException notAsked(CapacityEffect.News news) {
    return new IllegalStateException(
        "ledger: %s came of a request, not of an answer".formatted(news));
  }

  /** What is known of the reservation has changed. */
  void tell(CapacityEffect.Reserved reserved) {
    out.accept(new GangEffect.Reserved(reserved.reservation()));
  }
}
