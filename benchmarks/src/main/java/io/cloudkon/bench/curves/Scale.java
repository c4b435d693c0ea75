package io.cloudkon.bench.curves;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The sizes of the fleets in the figures.
 *
 * @param published fleets of the sizes of which figures are published
 * @param beyond larger ones, for our defaults
 * @param originalTasks at most so many tasks in a fleet under the original's preset, which takes a
 *     message and several calls for each
 * @param ourBundles on defaults, at most about so many bundles in a fleet: what it takes to
 *     simulate one hardly depends on the number of its tasks
 * @param ourTasks on defaults, at most so many tasks in a fleet
 * @param latencyTasks at least so many tasks' latencies, by one seed after the other
 */
record Scale(
    int[] published,
    int[] beyond,
    long originalTasks,
    long ourBundles,
    long ourTasks,
    long latencyTasks) {
  /** From 1 to 1,024 instances, and on to 16,384. */
  static final Scale FULL =
      new Scale(
          new int[] {1, 4, 16, 64, 256, 1024},
          new int[] {4096, 16_384},
          512_000,
          200_000,
          16_384_000,
          2_000);

  /** For a first look. */
  static final Scale QUICK = new Scale(new int[] {1, 4}, new int[] {16}, 400, 2_000, 10_000, 100);

  /** Those of one variant: the quota of writes is met in larger fleets only. */
  int[] sizes(Variant variant) {
    return variant == Variant.OURS_RAISED
        ? IntStream.concat(IntStream.of(largestPublished()), Arrays.stream(beyond)).toArray()
        : published;
  }

  /** All sizes there are. */
  int[] sizes() {
    return IntStream.concat(Arrays.stream(published), Arrays.stream(beyond)).toArray();
  }

  /** How many tasks each of so many workers gets: what is wanted, if it is not too much. */
  int tasks(Variant variant, Load load, int workers) {
    if (variant == Variant.ORIGINAL) {
      return Math.clamp(originalTasks / workers, 1, load.originalTasks());
    }
    long most = Math.min(ourTasks, (long) (ourBundles * load.tasksPerBundle()));
    return Math.clamp(most / workers, 1, load.tasks());
  }

  /** The same with so many times the bundles. */
  Scale timesBundles(int factor) {
    return new Scale(published, beyond, originalTasks, ourBundles * factor, ourTasks, latencyTasks);
  }

  /** The largest fleet of which figures are published. */
  int largestPublished() {
    return published[published.length - 1];
  }
}
