package io.cloudkon.client.rerun;

import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The latest status of each task of a run, a byte for each. Not thread safe. */
final class LatestStatuses {
  private static final List<TaskStatus> STATUSES = List.of(TaskStatus.values());

  /** The place of the status among all, from 1; 0 if it is unknown. */
  private final byte[] places;

  /** Statuses that are all unknown. */
  LatestStatuses(long tasks) {
    this.places = new byte[Math.max(0, (int) tasks)];
  }

  int tasks() {
    return places.length;
  }

  /** The status of a task; null if it is unknown. */
  @Nullable TaskStatus of(int task) {
    return places[task] == 0 ? null : STATUSES.get(places[task] - 1);
  }

  void set(int task, TaskStatus status) {
    places[task] = (byte) (STATUSES.indexOf(status) + 1);
  }

  /** Whether the status of every task is known and is this one. */
  boolean allAre(TaskStatus status) {
    return IntStream.range(0, places.length).allMatch(task -> of(task) == status);
  }
}
