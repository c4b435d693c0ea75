package io.cloudkon.core.contract;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Random acquisitions and writes on a few claims, likely enough to be accepted, and the claims as
 * they should be.
 */
final class RandomHistory {
  private final SplittableRandom random;
  private final List<String> ids;
  private final Map<String, Claim> claims = new HashMap<>();
  private int accepted;

  RandomHistory(long seed) {
    random = new SplittableRandom(seed);
    ids = IntStream.range(0, 6).mapToObj(i -> Claims.id()).toList();
  }

  List<String> ids() {
    return ids;
  }

  Map<String, Claim> claims() {
    return claims;
  }

  int accepted() {
    return accepted;
  }

  String id() {
    return ids.get(random.nextInt(ids.size()));
  }

  @Nullable Claim claim(String id) {
    return claims.get(id);
  }

  void remember(Claim claim) {
    accepted++;
    claims.put(claim.id(), claim);
  }

  boolean acquires() {
    return random.nextInt(3) == 0;
  }

  boolean survives() {
    return random.nextInt(6) == 0;
  }

  int attempt() {
    return 1 + random.nextInt(5);
  }

  Acquisition acquisition(String id) {
    Acquisition.Mode mode = pick(Acquisition.Mode.values());
    Claim current = claims.get(id);
    int seen = current == null ? 0 : current.attempt();
    return new Acquisition(
        id,
        mode,
        "worker-" + random.nextInt(3),
        nonce(),
        moment(),
        moment() + 2,
        random.nextInt(4) == 0 ? random.nextInt(4) : seen,
        mode == Acquisition.Mode.LOSING ? Positions.none() : positions(),
        Claims.ttl());
  }

  ClaimWrite write(String id) {
    Claim current = claims.get(id);
    boolean right = current != null && random.nextInt(3) > 0;
    boolean losing = right && current.state() == ClaimState.LOSING;
    return new ClaimWrite(
        id,
        right ? current.attempt() : 1 + random.nextInt(3),
        right ? current.nonce() : nonce(),
        Math.max(1, right ? current.seq() + random.nextInt(3) : random.nextInt(10)),
        losing || random.nextInt(5) == 0 ? ClaimState.LOSING : ClaimState.LEASED,
        next(losing),
        moment(),
        random.nextInt(3),
        positions(),
        positions(),
        children(),
        Claims.ttl());
  }

  private ClaimState next(boolean losing) {
    int drawn = random.nextInt(100);
    if (drawn == 0) {
      return ClaimState.DONE;
    }
    if (drawn < 30) {
      return ClaimState.RELEASED;
    }
    return losing ? ClaimState.LOSING : ClaimState.LEASED;
  }

  private String nonce() {
    return "nonce-" + random.nextInt(3);
  }

  private long moment() {
    return Claims.LEASE_END + random.nextInt(6);
  }

  private Positions positions() {
    BitSet bits = new BitSet();
    for (int i = random.nextInt(4); i > 0; i--) {
      bits.set(random.nextInt(random.nextBoolean() ? 10 : 4096));
    }
    return Positions.of(bits);
  }

  private SortedMap<Integer, Child> children() {
    SortedMap<Integer, Child> children = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Positions tasks = Positions.range(random.nextInt(100), 100 + random.nextInt(100));
      children.put(random.nextInt(64), new Child(tasks, random.nextBoolean()));
    }
    return children;
  }

  private <E> E pick(E[] values) {
    return values[random.nextInt(values.length)];
  }
}
