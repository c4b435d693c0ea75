package io.cloudkon.client.run;

import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** What a message of results teaches the bundler. Stateless. */
final class Lessons {
  private Lessons() {}

  /**
   * Learns from a message.
   *
   * @param bundle as it was sent; null if nothing is known of it
   */
  static void learn(
      BundlerMachine bundler, ResultBatch batch, @Nullable SentBundle bundle, Moment now) {
    bundler.heard(batch.worker().id(), batch.worker().slots(), now);
    if (bundle == null || bundle.keys().isEmpty()) {
      return;
    }
    DurationSum durations = new DurationSum();
    for (TaskResult result : batch.results()) {
      if (result.status() != TaskStatus.LOST) {
        durations.add(result.finishedMicros() - result.startedMicros());
      }
    }
    if (durations.size() > 0) {
      DurationSum.Sum sum = durations.take();
      double sleeps = (double) bundle.sleepMicros() * sum.count() / bundle.tasks();
      for (String key : bundle.keys()) {
        bundler.learn(key, sum.count(), (long) Math.max(0, sum.micros() - sleeps));
      }
    }
  }
}
