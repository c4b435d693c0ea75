package io.cloudkon.client.dead;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives the tasks of several runs their ids in one new run: the old id, prefixed with the run's id
 * if two runs use the same one. Immutable.
 */
final class NewIds {
  private final Set<String> shared = new HashSet<>();

  /** For the tasks of these bundles. */
  NewIds(List<Bundle> bundles) {
    Map<String, String> runs = new HashMap<>();
    for (Bundle bundle : bundles) {
      String run = bundle.header().run();
      for (Task task : bundle.tasks()) {
        String other = runs.putIfAbsent(task.id(), run);
        if (other != null && !other.equals(run)) {
          shared.add(task.id());
        }
      }
    }
  }

  /** The task's id in the new run. */
  String of(String run, Task task) {
    if (!shared.contains(task.id())) {
      return task.id();
    }
    String id = run + '/' + task.id();
    boolean fits = id.getBytes(StandardCharsets.UTF_8).length <= Limits.ID_BYTES;
    return fits ? id : byOrdinal(run, task);
  }

  /** An id that no other task of any run is likely to have. */
  static String byOrdinal(String run, Task task) {
    return "%s/task-%d".formatted(run, task.ordinal());
  }
}
