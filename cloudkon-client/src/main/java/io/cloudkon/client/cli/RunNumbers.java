package io.cloudkon.client.cli;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The client's options for sending a run, as given on the command line. They are checked when
 * {@link RunOptions} are made of them. Immutable.
 *
 * @param claim the scope of a claim
 * @param local whether this is LOCAL, where {@code threads} is the number of slots
 * @param detach whether sending must not wait for results
 * @param collect the files that are collected from tasks
 */
record RunNumbers(
    Consistency consistency,
    ClaimScope claim,
    @Nullable Integer threads,
    boolean local,
    @Nullable Integer bundle,
    Duration bundleTarget,
    Duration timeout,
    int retries,
    long capture,
    boolean detach,
    CollectOptions collect) {
  private static final int THREADS = 2;
  private static final int MOST_THREADS = 64;

  /**
   * The options of a new run.
   *
   * @throws UsageException if a value is out of bounds, or two options contradict each other
   */
  RunOptions options(String run) {
    if (capture > Limits.CAPTURE_BYTES) {
      throw new UsageException(
          "--capture %d: expected at most %dMiB; a task should write larger output to its own file"
              .formatted(capture, Limits.CAPTURE_BYTES / 1024 / 1024));
    }
    if (retries < 0 || retries > Limits.RETRIES) {
      throw new UsageException("--retries %d: expected 0 to %d".formatted(retries, Limits.RETRIES));
    }
    if (retries > 0 && consistency == Consistency.AT_MOST_ONCE) {
      throw new UsageException(
          "--retries %d cannot be combined with --consistency at-most-once, which never starts a task twice"
              .formatted(retries));
    }
    if (claim == ClaimScope.TASK && !consistency.claims()) {
      throw new UsageException(
          "--claim task cannot be combined with --consistency %s, which has no claims"
              .formatted(consistency.label()));
    }
    if (claim == ClaimScope.ONCE && consistency == Consistency.EXACTLY_ONCE) {
      throw new UsageException(
          "--claim once cannot be combined with --consistency exactly-once: it does not record that"
              + " a task has ended");
    }
    return options(run, consistency, claim, (int) capture, millis(timeout), retries)
        .with(collect.rule());
  }

  /** Rounds up, as for a task's own limit: 0 would be none. */
  private static long millis(Duration limit) {
    return limit.plusNanos(999_999).toMillis();
  }

  /** The options of a resumed run, which keeps those that define it. */
  RunOptions resumed(RunHeader header) {
    return options(
            header.run(),
            header.consistency(),
            header.claim(),
            header.captureBytes(),
            header.timeoutMillis(),
            header.retries())
        .with(header.collect());
  }

  private RunOptions options(
      String run,
      Consistency mode,
      ClaimScope scope,
      int captureBytes,
      long timeoutMillis,
      int tries) {
    if (threads != null && (threads < 1 || threads > WholeNumbers.MOST_THREADS)) {
      throw new UsageException(
          "-t %d: expected 1 to %d".formatted(threads, WholeNumbers.MOST_THREADS));
    }
    if (bundle != null && (bundle < 1 || bundle > Limits.TASKS_PER_BUNDLE)) {
      throw new UsageException(
          "--bundle %d: expected 1 to %d tasks".formatted(bundle, Limits.TASKS_PER_BUNDLE));
    }
    if (bundleTarget.toMillis() < 1) {
      throw new UsageException("--bundle-target: expected 1ms or more");
    }
    return new RunOptions(
        run,
        mode,
        scope,
        captureBytes,
        // one sender keeps the order of the tasks, which a queue in memory keeps, too
        local ? 1 : Math.min(threads == null ? THREADS : threads, MOST_THREADS),
        timeoutMillis,
        tries,
        new BundlerSettings(
            bundle == null ? 0 : bundle,
            bundleTarget.toMillis(),
            Limits.FULL_BUNDLE_BYTES,
            !detach),
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }
}
