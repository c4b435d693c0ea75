package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The children of a bundle on their way to the request queue: recorded in the claim first, then
 * sent, then marked.
 */
final class Children {
  private final Set<Integer> onTheirWay = new HashSet<>();

  /**
   * The children to send now, which are neither known to be sent nor on their way.
   *
   * @param recorded the children that are durable
   * @param failedHere whether some of these tasks failed here
   */
  List<BundleEffect> due(Map<Integer, Child> recorded, Predicate<Positions> failedHere) {
    List<BundleEffect> due = new ArrayList<>();
    for (Map.Entry<Integer, Child> child : recorded.entrySet()) {
      if (!child.getValue().sent() && onTheirWay.add(child.getKey())) {
        Positions tasks = child.getValue().tasks();
        due.add(new BundleEffect.SendChild(child.getKey(), tasks, failedHere.test(tasks)));
      }
    }
    return due;
  }

  /** Records that the sending of a child has succeeded or failed. */
  void returned(int k) {
    onTheirWay.remove(k);
  }
}
