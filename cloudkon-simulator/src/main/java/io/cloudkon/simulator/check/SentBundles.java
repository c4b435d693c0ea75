package io.cloudkon.simulator.check;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Task;
import io.cloudkon.simulator.load.Request;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bundles and children that were sent, with the facts about each. */
final class SentBundles {
  private final Map<String, BundleFacts> byId = new HashMap<>();

  /** Records and checks a bundle or child that is about to be sent, perhaps again. */
  void sending(Request request) {
    BundleFacts before = byId.putIfAbsent(request.id(), new BundleFacts(request));
    if (before != null) {
      // Claims refer to tasks by position. The successor of a dead owner does not know the tries.
      Violation.unless(
          asFirstSent(before.of).equals(asFirstSent(request)),
          "bundle %s is sent with other tasks than before",
          request);
    }
  }

  private static List<Task> asFirstSent(Request request) {
    return request.bundle().tasks().stream().map(task -> task.withTried(0)).toList();
  }

  /** The facts about a bundle, which must have been sent. */
  BundleFacts of(Request request) {
    BundleFacts seen = byId.get(request.id());
    if (seen == null) {
      throw new Violation("bundle %s was never sent", request);
    }
    return seen;
  }

  /** The facts about a bundle; null if it was not sent, or was forgotten. */
  @Nullable BundleFacts find(String id) {
    return byId.get(id);
  }

  void forget(String id) {
    byId.remove(id);
  }

  Collection<BundleFacts> all() {
    return byId.values();
  }

  /** The number of bundles that were split off. */
  long children() {
    return byId.keySet().stream().filter(id -> BundleIds.depth(id) > 0).count();
  }
}
