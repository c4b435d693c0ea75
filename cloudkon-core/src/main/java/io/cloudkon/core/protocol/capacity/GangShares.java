package io.cloudkon.core.protocol.capacity;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The shares of one worker's gangs, from their admission until they are freed or lost. */
final class GangShares {
  private final Map<String, Share> byGang = new LinkedHashMap<>();
  private final Consumer<CapacityEffect> out;

  GangShares(Consumer<CapacityEffect> out) {
    this.out = out;
  }

  boolean isEmpty() {
    return byGang.isEmpty();
  }

  boolean has(String gang) {
    return byGang.containsKey(gang);
  }

  void admitted(List<Share> shares) {
    shares.forEach(share -> byGang.put(share.id(), share));
  }

  /** Gives up a share; null if it is not here. */
  @Nullable Share remove(String gang) {
    return byGang.remove(gang);
  }

  void renew(long leaseEnd) {
    byGang.replaceAll((id, share) -> share.until(leaseEnd));
    byGang.values().forEach(share -> out.accept(new CapacityEffect.Renew(share)));
  }

  /** Handles a share that a renewal did not find, so that others may use its slots. */
  void gone(String key) {
    byGang.values().stream()
        .filter(share -> share.key().equals(key))
        .findFirst()
        .ifPresent(share -> {
          byGang.remove(share.id());
          out.accept(new CapacityEffect.Lost(share.id()));
        });
  }
}
