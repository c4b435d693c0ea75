package io.cloudkon.client.run;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of a run for sending and collecting. Immutable.
 *
 * @param run its id
 * @param consistency how often its tasks may start; default exactly-once
 * @param claim what one claim guards; default a bundle
 * @param captureBytes how many bytes of each output are kept; default 64 KiB
 * @param threads the number of threads that make and send bundles, and of those that collect;
 *     default 2
 * @param timeoutMillis the limit for tasks that name none; 0 (the default) means no limit
 * @param retries the number of retries for tasks that name none; default 0
 * @param bundler how bundles are made
 * @param completeness the times after which the client acts on missing results
 * @param lease the settings of the run's lease in {@code Q-runs}
 * @param priority the priority of its client in a fair cluster; empty elsewhere, where everything
 *     is sent at once
 * @param collect which files its tasks bring back; default none
 * @param directory the directory to which the paths of its tasks' files are relative; default this
 *     process's
 */
public record RunOptions(
    String run,
    Consistency consistency,
    ClaimScope claim,
    int captureBytes,
    int threads,
    long timeoutMillis,
    int retries,
    BundlerSettings bundler,
    CompletenessSettings completeness,
    LeaseSettings lease,
    Optional<Priority> priority,
    CollectRule collect,
    Path directory) {

  /** Options for a cluster that is not fair. */
  public RunOptions(
      String run,
      Consistency consistency,
      ClaimScope claim,
      int captureBytes,
      int threads,
      long timeoutMillis,
      int retries,
      BundlerSettings bundler,
      CompletenessSettings completeness,
      LeaseSettings lease) {
    this(
        run,
        consistency,
        claim,
        captureBytes,
        threads,
        timeoutMillis,
        retries,
        bundler,
        completeness,
        lease,
        Optional.empty(),
        CollectRule.NONE,
        Path.of(""));
  }

  /** Options with one claim for each bundle. */
  public RunOptions(
      String run,
      Consistency consistency,
      int captureBytes,
      int threads,
      long timeoutMillis,
      int retries,
      BundlerSettings bundler,
      CompletenessSettings completeness,
      LeaseSettings lease) {
    this(
        run,
        consistency,
        ClaimScope.BUNDLE,
        captureBytes,
        threads,
        timeoutMillis,
        retries,
        bundler,
        completeness,
        lease);
  }

  /** The same options for a fair cluster. */
  public RunOptions with(Priority of) {
    return with(completeness, Optional.of(of), collect, directory);
  }

  /** The same options, with tasks that bring back files. */
  public RunOptions with(CollectRule rule) {
    return with(completeness, priority, rule, directory);
  }

  /** The same options, with another directory for the paths of the tasks' files. */
  public RunOptions in(Path other) {
    return with(completeness, priority, collect, other);
  }

  /** The same options for a run of which nobody knows when its last task comes. */
  public RunOptions forOpenEnd() {
    return with(completeness.forOpenEnd(), priority, collect, directory);
  }

  private RunOptions with(
      CompletenessSettings end, Optional<Priority> of, CollectRule rule, Path from) {
    return new RunOptions(
        run,
        consistency,
        claim,
        captureBytes,
        threads,
        timeoutMillis,
        retries,
        bundler,
        end,
        lease,
        of,
        rule,
        from);
  }
}
