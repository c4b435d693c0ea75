package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process may rely on its lease, on both clocks and counted from before the
 * write that took or renewed it. Not thread safe.
 */
final class HeldLease {
  private final LeaseSettings settings;

  /** The time at which the current write was requested. */
  private @Nullable Moment asked;

  /** The time of the first request to take it that may have been carried out. */
  private @Nullable Moment firstTake;

  /** The end of the held lease; null while it is not held. */
  private @Nullable Moment end;

  HeldLease(LeaseSettings settings) {
    this.settings = settings;
  }

  /** Records that a write that takes the lease is requested now. */
  void taking(Moment now) {
    asked = now;
    firstTake = firstTake == null ? now : firstTake;
  }

  /** Records that a write that renews the lease is requested now. */
  void writing(Moment now) {
    asked = now;
  }

  /** Whether a write was ever requested. */
  boolean wasAsked() {
    return asked != null;
  }

  /** Records that the current write was carried out. */
  void written() {
    held(asked);
  }

  /**
   * Records that a write to take it was carried out whose answer was lost: the lease counts from
   * the first one, because it is unknown which one succeeded.
   */
  void taken() {
    held(firstTake);
  }

  private void held(@Nullable Moment from) {
    end = from == null ? null : from.lease(settings.lease());
    firstTake = null;
  }

  /** Records that it is not held any more. */
  void over() {
    end = null;
  }

  /** Whether it is held, and its end is further away than the clock margin on both clocks. */
  boolean valid(Moment now) {
    return end != null && !now.eitherPast(end.plus(-settings.margin()));
  }
}
