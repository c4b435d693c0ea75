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

/** The manager's view of the ledger: its requests and its last reading. */
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

  /** Whether this worker's slots count in the ledger. */
  boolean in() {
    return capacity.phase() == CapacityPhase.IN;
  }

  /** The number of free slots, some of which may be reserved. */
  int free() {
    return capacity.counter().free();
  }

  /** The number of free slots that are not reserved. */
  int room() {
    return capacity.counter().free() - capacity.counter().reserved();
  }

  /** The reservation; null if there is none. */
  @Nullable Reservation reservation() {
    return capacity.reservation();
  }

  /** The reservation of a job that this worker holds; null if there is none. */
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

  /** Frees the slots of a gang. */
  void free(Gang gang) {
    ask(capacity.free(gang.id));
  }

  void reserve(Waiting job, Moment now) {
    ask(capacity.reserve(job, now));
  }

  /** Releases the reservation of a job. */
  void unreserve(String job) {
    ask(capacity.unreserve(job));
  }

  /** Writes the waiting item of a job, once per heartbeat. */
  void await(Job job, Moment now) {
    if (job.putsWaitingItem(now)) {
      capacity.look();
      long leaseEnd = now.leaseEnd(settings.lease().lease());
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

  /** Leaves the ledger. */
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
      }
    }
  }

  private static IllegalStateException notAsked(CapacityEffect.News news) {
    return new IllegalStateException(
        "ledger: %s came of a request, not of an answer".formatted(news));
  }

  /** Reports a change of the known reservation. */
  void tell(CapacityEffect.Reserved reserved) {
    out.accept(new GangEffect.Reserved(reserved.reservation()));
  }
}
