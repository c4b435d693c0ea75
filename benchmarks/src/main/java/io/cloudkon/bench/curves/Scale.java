package io.cloudkon.bench.curves;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The sizes of the fleets in the figures.
 *
 * @param published the sizes for which figures are published
 * @param beyond larger sizes, for our defaults
 * @param originalTasks the maximum number of tasks in a fleet under the original's preset, which
 *     takes a message and several calls for each task
 * @param ourBundles the approximate maximum number of bundles in a fleet with defaults; the
 *     simulation time of a bundle hardly depends on its number of tasks
 * @param ourTasks the maximum number of tasks in a fleet with defaults
 * @param latencyTasks the minimum number of tasks whose latencies are measured, with one seed after
 *     the other
 */
record Scale(
    int[] published,
    int[] beyond,
    long originalTasks,
    long ourBundles,
    long ourTasks,
    long latencyTasks) {
  /** The full scale: 1 to 1,024 instances, and further to 16,384. */
  static final Scale FULL =
      new Scale(
          new int[] {1, 4, 16, 64, 256, 1024},
          new int[] {4096, 16_384},
          512_000,
          200_000,
          16_384_000,
          2_000);

  /** A small scale, for a first look. */
  static final Scale QUICK = new Scale(new int[] {1, 4}, new int[] {16}, 400, 2_000, 10_000, 100);

  /** The sizes of one variant; only larger fleets reach the quota of writes. */
  int[] sizes(Variant variant) {
    return variant == Variant.OURS_RAISED
        ? IntStream.concat(IntStream.of(largestPublished()), Arrays.stream(beyond)).toArray()
        : published;
  }

  /** All sizes. */
  int[] sizes() {
    return IntStream.concat(Arrays.stream(published), Arrays.stream(beyond)).toArray();
  }

  /**
   * The number of tasks for each of this number of workers: the desired number, within the limits.
   */
  int tasks(Variant variant, Load load, int workers) {
    if (variant == Variant.ORIGINAL) {
      return Math.clamp(originalTasks / workers, 1, load.originalTasks());
    }
    long most = Math.min(ourTasks, (long) (ourBundles * load.tasksPerBundle()));
    return Math.clamp(most / workers, 1, load.tasks());
  }

  /** A copy with a multiple of the bundles. */
  Scale timesBundles(int factor) {
    return new Scale(published, beyond, originalTasks, ourBundles * factor, ourTasks, latencyTasks);
  }

  /** The largest size for which figures are published. */
  int largestPublished() {
    return published[published.length - 1];
  }
}
