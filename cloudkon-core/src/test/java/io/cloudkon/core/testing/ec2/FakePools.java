package io.cloudkon.core.testing.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the pools of {@link FakeEc2} hold, and which refuse. Guarded by that one. */
final class FakePools {
  /** Why a pool gives nothing more. */
  record Refused(Pool pool, String code, String message) {}

  private record Key(Pool pool, Purchase purchase) {}

  private final Map<Key, Integer> capacity = new HashMap<>();
  private final Map<Key, String> refusals = new HashMap<>();
  private int room = Integer.MAX_VALUE;
  private int tried = Integer.MAX_VALUE;

  void room(int most) {
    room = most;
  }

  void tried(int most) {
    tried = most;
  }

  void capacity(Pool pool, Purchase purchase, int instances) {
    capacity.put(new Key(pool, purchase), instances);
  }

  void refuse(Pool pool, Purchase purchase, String code) {
    refusals.put(new Key(pool, purchase), code);
  }

  void accept(Pool pool, Purchase purchase) {
    refusals.remove(new Key(pool, purchase));
  }

  /** The code with which a pool refuses; null if it does not. */
  @Nullable String refusal(Pool pool, Purchase purchase) {
    return refusals.get(new Key(pool, purchase));
  }

  /**
   * Takes instances from the pools, in their order.
   *
   * @param there how many exist already
   * @param take told the pool of each that is granted
   * @return why there are not more
   */
  List<Refused> take(
      int count, List<Pool> pools, Purchase purchase, int there, Consumer<Pool> take) {
    List<Refused> refused = new ArrayList<>();
    int left = count;
    for (Pool pool : pools.subList(0, Math.min(tried, pools.size()))) {
      Key key = new Key(pool, purchase);
      String code = refusals.get(key);
      while (code == null && left > 0) {
        int held = capacity.getOrDefault(key, Integer.MAX_VALUE);
        if (held == 0 || there + count - left >= room) {
          code = "InsufficientInstanceCapacity";
        } else {
          capacity.put(key, held == Integer.MAX_VALUE ? held : held - 1);
          take.accept(pool);
          left--;
        }
      }
      if (code != null && left > 0) {
        refused.add(new Refused(pool, code, "There is no capacity for " + pool + "."));
      }
    }
    return refused;
  }
}
