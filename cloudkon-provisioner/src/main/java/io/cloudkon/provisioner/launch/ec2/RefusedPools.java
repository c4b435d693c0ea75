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
 * Spot and on demand count as two pools. After a restart, a provisioner learns each of them again
 * by one refusal. Thread safe.
 */
final class RefusedPools {
  /**
   * Capacity that was missing a moment ago is usually still missing; prices and capacity change
   * within minutes.
   */
  static final Duration REMEMBERED = Duration.ofMinutes(3);

  private record Key(Pool pool, Purchase purchase) {}

  private record Refusal(Failure failure, long atNanos) {}

  private final TimeSource time;
  private final Map<Key, Refusal> refusals = new HashMap<>();

  RefusedPools(TimeSource time) {
    this.time = time;
  }

  /** The pools that may be tried, with the purchase option. */
  record Choice(List<Pool> pools, Purchase purchase) {}

  synchronized void refused(Collection<Pool> pools, Purchase purchase, Failure failure) {
    Refusal refusal = new Refusal(failure, time.monotonicNanos());
    pools.forEach(pool -> refusals.put(new Key(pool, purchase), refusal));
  }

  /** The reasons for which pools are currently left out. */
  synchronized List<Failure> failures() {
    forget();
    return refusals.values().stream().map(Refusal::failure).distinct().toList();
  }

  private void forget() {
    long now = time.monotonicNanos();
    refusals.values().removeIf(refusal -> now - refusal.atNanos() >= REMEMBERED.toNanos());
  }

  /** The pools that have not refused recently, for the first purchase option that still has any. */
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
