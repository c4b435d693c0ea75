package io.cloudkon.core.model;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * 1 to {@link Limits#TASKS_PER_BUNDLE} tasks of one run that are sent together. Immutable.
 *
 * @param header the properties that its tasks share
 * @param tasks the tasks in ascending order of ordinal; a task's index is its position in the
 *     claim's bitmaps
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

  /**
   * The same bundle with other numbers of failed tries.
   *
   * @param tried the number of failed tries by position, including those before this bundle
   */
  public Bundle withTried(IntUnaryOperator tried) {
    return new Bundle(
        header,
        IntStream.range(0, tasks.size())
            .mapToObj(position -> tasks.get(position).withTried(tried.applyAsInt(position)))
            .toList());
  }

  /** The tasks at these positions as a separate bundle, which a split hands on. */
  public Bundle child(int k, Positions positions) {
    return child(k, positions, position -> tasks.get(position).tried());
  }

  /**
   * Like {@link #child(int, Positions)}, for tasks whose tries failed.
   *
   * @param tried the number of failed tries by position, including those before this bundle
   */
  public Bundle child(int k, Positions positions, IntUnaryOperator tried) {
    return new Bundle(
        header.withBundle(BundleIds.child(header.bundle(), k)),
        positions.stream()
            .mapToObj(position -> tasks.get(position).withTried(tried.applyAsInt(position)))
            .toList());
  }
}
