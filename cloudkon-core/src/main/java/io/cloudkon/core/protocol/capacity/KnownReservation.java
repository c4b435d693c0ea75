package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One worker's view of the cluster's reservation. It is requested, renewed and released if it is
 * for a job of this worker, and swept if it has expired.
 */
final class KnownReservation {
  private final CapacitySettings settings;
  private final PendingChanges changes;
  private final Consumer<CapacityEffect> out;
  private @Nullable Reservation current;
  private long renewAt = Long.MIN_VALUE / 2;

  KnownReservation(
      CapacitySettings settings, PendingChanges changes, Consumer<CapacityEffect> out) {
    this.settings = settings;
    this.changes = changes;
    this.out = out;
  }

  /** The reservation at the last reading; null if there was none. */
  @Nullable Reservation current() {
    return current;
  }

  /**
   * Whether this worker has the reservation and must learn as soon as enough slots are kept for it.
   */
  boolean pressing() {
    return current != null && mine(current) && !current.admitted();
  }

  /** Requests it, unless it was already requested. */
  void reserve(Waiting job, Moment now) {
    if (!changes.has(LedgerChange.Reserve.class)) {
      long leaseEnd = now.leaseEnd(settings.lease().lease());
      Reservation wanted = Reservation.of(job.job(), job.ranks(), job.worker(), leaseEnd);
      changes.ask(token -> new LedgerChange.Reserve(token, wanted));
    }
  }

  /** Records that the request was granted. */
  void reserved(Reservation granted, Moment now) {
    current = granted;
    renewAt = now.mono() + settings.lease().heartbeat();
    out.accept(new CapacityEffect.Reserved(granted));
  }

  /** Releases it if this worker has it for that job. */
  void unreserve(String job) {
    Reservation held = mineFor(job);
    if (held != null) {
      current = null;
      changes.ask(token -> new LedgerChange.Unreserve(token, held, false));
      out.accept(new CapacityEffect.Reserved(null));
    }
  }

  /** Records that a job's gang has its slots. */
  void admitted(String job) {
    Reservation held = current;
    if (held != null && held.job().equals(job)) {
      Reservation admitted = held.nowAdmitted();
      current = admitted;
      out.accept(new CapacityEffect.Reserved(admitted));
    }
  }

  /** Renews it once per heartbeat. */
  void renew(long leaseEnd, Moment now) {
    Reservation held = current;
    if (held != null && mine(held) && now.mono() >= renewAt) {
      renewAt = now.mono() + settings.lease().heartbeat();
      out.accept(new CapacityEffect.RenewReservation(held.job(), held.worker(), leaseEnd));
    }
  }

  /** Records that a renewal did not find it. */
  void gone(String job) {
    if (mineFor(job) != null) {
      saw(null);
    }
  }

  /** Records a reading. */
  void read(@Nullable Reservation found, Moment now) {
    boolean expired =
        found != null && found.leaseEnd() < now.expiredBefore(settings.lease().margin());
    if (found == null || !expired || mine(found)) {
      saw(found);
      return;
    }
    if (!changes.has(LedgerChange.Unreserve.class)) {
      changes.ask(token -> new LedgerChange.Unreserve(token, found, true));
    }
    saw(null);
  }

  private void saw(@Nullable Reservation found) {
    Reservation before = current;
    current = found;
    boolean same = found == null ? before == null : found.equals(before);
    if (!same) {
      out.accept(new CapacityEffect.Reserved(found));
    }
  }

  private @Nullable Reservation mineFor(String job) {
    Reservation held = current;
    return held != null && held.job().equals(job) && mine(held) ? held : null;
  }

  private boolean mine(Reservation of) {
    return of.worker().equals(settings.worker());
  }
}
