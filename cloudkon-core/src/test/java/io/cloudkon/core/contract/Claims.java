package io.cloudkon.core.contract;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Acquisitions and writes as the suites need them. */
final class Claims {
  /** When leases end here unless said otherwise. */
  static final long LEASE_END = 1_800_000_000_000L;

  private Claims() {}

  /** A fresh bundle id. */
  static String id() {
    return "run-" + UUID.randomUUID().toString().substring(0, 8) + "/epoch/12";
  }

  static long ttl() {
    return System.currentTimeMillis() / 1000 + Claim.KEPT_SECONDS;
  }

  static Acquisition fresh(String id, String nonce, int... started) {
    return acquire(id, Acquisition.Mode.FRESH, nonce, 0, 0, Positions.of(started));
  }

  static Acquisition takeOver(String id, String nonce, long expiredBefore, int... started) {
    return acquire(id, Acquisition.Mode.TAKE_OVER, nonce, expiredBefore, 0, Positions.of(started));
  }

  static Acquisition losing(String id, String nonce, long expiredBefore, int expectedAttempt) {
    return acquire(
        id, Acquisition.Mode.LOSING, nonce, expiredBefore, expectedAttempt, Positions.none());
  }

  static Acquisition acquire(
      String id,
      Acquisition.Mode mode,
      String nonce,
      long expiredBefore,
      int expectedAttempt,
      Positions started) {
    return new Acquisition(
        id,
        mode,
        "worker-" + nonce,
        nonce,
        LEASE_END,
        expiredBefore,
        expectedAttempt,
        started,
        ttl());
  }

  /** The owner's next write, which changes nothing but what is said of it then. */
  static ClaimWrite next(Claim claim) {
    return new ClaimWrite(
        claim.id(),
        claim.attempt(),
        claim.nonce(),
        claim.seq() + 1,
        claim.state() == ClaimState.LOSING ? ClaimState.LOSING : ClaimState.LEASED,
        claim.state(),
        claim.leaseEnd(),
        claim.releases(),
        claim.started(),
        claim.done(),
        claim.children(),
        ttl());
  }

  static ClaimWrite to(ClaimWrite w, ClaimState state) {
    return new ClaimWrite(
        w.id(),
        w.attempt(),
        w.nonce(),
        w.seq(),
        w.expected(),
        state,
        w.leaseEnd(),
        w.releases(),
        w.started(),
        w.done(),
        w.children(),
        w.ttl());
  }

  static ClaimWrite released(ClaimWrite w) {
    return new ClaimWrite(
        w.id(),
        w.attempt(),
        w.nonce(),
        w.seq(),
        w.expected(),
        ClaimState.RELEASED,
        w.leaseEnd(),
        w.releases() + 1,
        w.started(),
        w.done(),
        w.children(),
        w.ttl());
  }

  static ClaimWrite positions(ClaimWrite w, Positions started, Positions done) {
    return new ClaimWrite(
        w.id(),
        w.attempt(),
        w.nonce(),
        w.seq(),
        w.expected(),
        w.state(),
        w.leaseEnd(),
        w.releases(),
        started,
        done,
        w.children(),
        w.ttl());
  }

  static ClaimWrite children(ClaimWrite w, SortedMap<Integer, Child> children) {
    return new ClaimWrite(
        w.id(),
        w.attempt(),
        w.nonce(),
        w.seq(),
        w.expected(),
        w.state(),
        w.leaseEnd(),
        w.releases(),
        w.started(),
        w.done(),
        children,
        w.ttl());
  }

  static ClaimWrite seq(ClaimWrite w, long seq) {
    return new ClaimWrite(
        w.id(),
        w.attempt(),
        w.nonce(),
        seq,
        w.expected(),
        w.state(),
        w.leaseEnd(),
        w.releases(),
        w.started(),
        w.done(),
        w.children(),
        w.ttl());
  }

  /** As another owner, or a former one, would have written it. */
  static ClaimWrite by(ClaimWrite w, ClaimState expected, int attempt, String nonce) {
    return new ClaimWrite(
        w.id(),
        attempt,
        nonce,
        w.seq(),
        expected,
        w.state(),
        w.leaseEnd(),
        w.releases(),
        w.started(),
        w.done(),
        w.children(),
        w.ttl());
  }

  static SortedMap<Integer, Child> children(int k, Child child) {
    SortedMap<Integer, Child> children = new TreeMap<>();
    children.put(k, child);
    return children;
  }
}
