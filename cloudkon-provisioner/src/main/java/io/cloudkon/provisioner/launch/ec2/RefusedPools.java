package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers for {@link #REMEMBERED} which pools refused, so that the next launch leaves them out.
 * Spot and on demand are two pools. A provisioner that starts anew has forgotten them, and learns
 * them again by one refusal each. Thread safe.
 */
final class RefusedPools {
  /** Room that was short a moment ago mostly still is; prices and stocks move in minutes. */
  static final Duration REMEMBERED = Duration.ofMinutes(3);

  private record Key(Pool pool, Purchase purchase) {}

  private final TimeSource time;
  private final Map<Key, Long> since = new HashMap<>();

  RefusedPools(TimeSource time) {
    this.time = time;
  }

  /** Pools that may be asked, and how. */
  record Choice(List<Pool> pools, Purchase purchase) {}

  synchronized void refused(Collection<Pool> pools, Purchase purchase) {
    pools.forEach(pool -> since.put(new Key(pool, purchase), time.monotonicNanos()));
  }

  /** Those that have not refused lately, by the first way to pay that any is left for. */
  synchronized Optional<Choice> open(List<Pool> pools, PurchasePlan plan) {
    long now = time.monotonicNanos();
    since.values().removeIf(at -> now - at >= REMEMBERED.toNanos());
    for (Purchase purchase : plan.inOrder()) {
      List<Pool> left =
          pools.stream().filter(pool -> !since.containsKey(new Key(pool, purchase))).toList();
      if (!left.isEmpty()) {
        return Optional.of(new Choice(left, purchase));
      }
    }
    return Optional.empty();
  }
}
