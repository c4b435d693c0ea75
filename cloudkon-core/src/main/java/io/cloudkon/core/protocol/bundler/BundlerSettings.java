package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.model.Limits;

/**
 * The settings for making bundles.
 *
 * @param fixedTasks tasks per bundle; 0 (the default) adapts
 * @param targetMillis how much work a bundle is to hold; default 250
 * @param maxBytes how large it may be; default {@link Limits#FULL_BUNDLE_BYTES}
 * @param mayWait whether sending may wait for the first results; not if the client leaves after the
 *     last send
 */
public record BundlerSettings(int fixedTasks, long targetMillis, int maxBytes, boolean mayWait) {
  /** Adaptive, 250 ms, 60 KiB. */
  public static final BundlerSettings DEFAULT =
      new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, true);

  public BundlerSettings {
    if (fixedTasks < 0 || fixedTasks > Limits.TASKS_PER_BUNDLE) {
      throw new IllegalArgumentException(
          "a bundle holds 1 to %d tasks, not %d".formatted(Limits.TASKS_PER_BUNDLE, fixedTasks));
    }
    if (targetMillis < 1) {
      throw new IllegalArgumentException("a bundle's target is 1 ms or more, not " + targetMillis);
    }
  }
}
