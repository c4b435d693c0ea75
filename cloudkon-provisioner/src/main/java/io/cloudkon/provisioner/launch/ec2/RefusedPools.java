package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.port.InstanceLauncher.Failure;
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

  private record Refusal(Failure failure, long atNanos) {}

  private final TimeSource time;
  private final Map<Key, Refusal> refusals = new HashMap<>();

  RefusedPools(TimeSource time) {
    this.time = time;
  }

  /** Pools that may be asked, and how. */
  record Choice(List<Pool> pools, Purchase purchase) {}

  synchronized void refused(Collection<Pool> pools, Purchase purchase, Failure failure) {
    Refusal refusal = new Refusal(failure, time.monotonicNanos());
    pools.forEach(pool -> refusals.put(new Key(pool, purchase), refusal));
  }

  /** Why pools are left out at present. */
  synchronized List<Failure> failures() {
    forget();
    return refusals.values().stream().map(Refusal::failure).distinct().toList();
  }

  private void forget() {
    long now = time.monotonicNanos();
    refusals.values().removeIf(refusal -> now - refusal.atNanos() >= REMEMBERED.toNanos());
  }

  /** Those that have not refused lately, by the first way to pay that any is left for. */
  synchronized Optional<Choice> open(List<Pool> pools, PurchasePlan plan) {
    forget();
    for (Purchase purchase : plan.inOrder()) {
      List<Pool> left =
          pools.stream().filter(pool -> !refusals.containsKey(new Key(pool, purchase))).toList();
      if (!left.isEmpty()) {
        return Optional.of(new Choice(left, purchase));
      }
    }
    return Optional.empty();
  }
}
