package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes of an owner to its claim. At most one is under way; changes that are requested
 * meanwhile are part of the next one. A failed write is followed by one with a higher seq and
 * everything that the failed one contained. Pure; used by one thread at a time.
 */
final class OwnerWrites {
  private final String bundle;
  private final LeaseSettings settings;
  private final ClaimStage stage;
  private final ClaimLease lease;

  /** The item, once this owner has had it. */
  private @Nullable OwnedItem item;

  private @Nullable ClaimWrite underWay;
  private boolean urgent;

  OwnerWrites(String bundle, LeaseSettings settings, ClaimStage stage, ClaimLease lease) {
    this.bundle = bundle;
    this.settings = settings;
    this.stage = stage;
    this.lease = lease;
  }

  /** Records that this owner has the claim. */
  void own(Claim claim) {
    item = new OwnedItem(claim);
  }

  /**
   * The item.
   *
   * @throws NullPointerException if this owner never had the claim
   */
  OwnedItem item() {
    return Objects.requireNonNull(item, () -> "bundle %s is not mine".formatted(bundle));
  }

  // ---- the write under way

  /** Requests a write without waiting for the next heartbeat, and sends it if none is under way. */
  void hurry(Moment now) {
    urgent = true;
    pump(now);
  }

  /** Sends the next write if it was requested, or if a heartbeat is due. */
  void pump(Moment now) {
    ClaimState target = stage.phase().written();
    if (target == null || underWay != null || !(urgent || lease.renewalDue(now))) {
      return;
    }
    urgent = false;
    underWay = item().next(target, settings.lease(), now);
    lease.writing(now);
    stage.add(new ClaimEffect.Write(underWay));
  }

  /** Whether no write is under way or requested. */
  boolean flushed() {
    return underWay == null && !urgent;
  }

  /** The write under way if it has this seq; otherwise null. */
  @Nullable ClaimWrite underWay(long seq) {
    return underWay != null && underWay.seq() == seq ? underWay : null;
  }

  /** Records that the write under way was accepted. */
  void accepted(ClaimWrite write) {
    underWay = null;
    item().accepted(write);
  }

  /** Records that the write under way may or may not have taken effect, and requests another. */
  void failed() {
    underWay = null;
    urgent = true;
  }

  /** Forgets the write under way, because the claim is lost. */
  void abandon() {
    underWay = null;
  }

  // ---- what an owner may ask before it has the claim

  /** Does nothing if this owner never had the claim. */
  void record(Positions accepted) {
    if (item != null) {
      item.record(accepted);
    }
  }

  /** Does nothing if this owner never had the claim. */
  void childSent(int k) {
    if (item != null) {
      item.childSent(k);
    }
  }

  int attempt() {
    return item == null ? 0 : item.durable().attempt();
  }

  Positions startsRecorded() {
    return item == null ? Positions.none() : item.durable().started();
  }

  SortedMap<Integer, Child> childrenRecorded() {
    return item == null ? new TreeMap<>() : item.recordedChildren();
  }

  boolean allChildrenSent() {
    return item == null || item.allChildrenSent();
  }
}
