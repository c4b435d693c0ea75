package io.cloudkon.client.run;

import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Feeds what a message of results shows back to the bundler and the client's fair share. Stateless.
 */
final class BundlerFeedback {
  private BundlerFeedback() {}

  /**
   * Tells the fair share how long tasks kept their slots.
   *
   * @param fresh results that are final
   * @param bundle the bundle as it was sent; null if unknown
   */
  static void learn(
      FairShare share, List<TaskResult> fresh, @Nullable SentBundle bundle, Moment now) {
    int count = 0;
    long micros = 0;
    for (TaskResult result : fresh) {
      long took = result.finishedMicros() - result.startedMicros();
      if (result.status() != TaskStatus.LOST && took >= 0) {
        count++;
        micros += took;
      }
    }
    if (bundle != null && bundle.job()) {
      share.finishedRanks(count * bundle.ranks(), micros * bundle.ranks(), now);
    } else {
      share.finished(count, micros, now);
    }
  }

  /**
   * Tells the bundler about the worker and the task durations of a message.
   *
   * @param bundle the bundle as it was sent; null if unknown
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
