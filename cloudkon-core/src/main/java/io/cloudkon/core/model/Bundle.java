package io.cloudkon.core.model;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * 1 to {@link Limits#TASKS_PER_BUNDLE} tasks of one run, as they go out. Immutable.
 *
 * @param header what its tasks share
 * @param tasks in ascending order of ordinal; a task's index here is its position in the claim's
 *     bitmaps
 */
public record Bundle(BundleHeader header, List<Task> tasks) {
  public Bundle {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty() || tasks.size() > Limits.TASKS_PER_BUNDLE) {
      throw new IllegalArgumentException(
          "bundle %s has %d tasks, expected 1 to %d"
              .formatted(header.bundle(), tasks.size(), Limits.TASKS_PER_BUNDLE));
    }
  }

  /** The tasks at these positions, as a bundle of its own: what a split hands on. */
  public Bundle child(int k, Positions positions) {
    return child(k, positions, position -> tasks.get(position).tried());
  }

  /**
   * The same after tries that failed.
   *
   * @param tried how many did, by position, those before this bundle included
   */
  public Bundle child(int k, Positions positions, IntUnaryOperator tried) {
    return new Bundle(
        header.withBundle(BundleIds.child(header.bundle(), k)),
        positions.stream()
            .mapToObj(position -> tasks.get(position).withTried(tried.applyAsInt(position)))
            .toList());
  }
}
