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
 * @param captureBytes how much of each output is kept; default 64 KiB
 * @param threads that make and send bundles, and as many that collect; default 2
 * @param timeoutMillis for tasks that name no limit; 0 (the default) is none
 * @param retries for tasks that say nothing of it; default 0
 * @param bundler how bundles are made
 * @param completeness when waiting becomes asking
 * @param lease of the run in {@code Q-runs}
 * @param priority of its client in a fair cluster; empty elsewhere, where everything is sent at
 *     once
 * @param collect which files its tasks bring back; default none
 * @param directory from which the files that its tasks need are named; default this process's
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

  /** In a cluster that is not fair. */
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

  /** With one claim for each bundle. */
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

  /** The same, in a cluster that is fair. */
  public RunOptions with(Priority of) {
    return new RunOptions(
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
        Optional.of(of),
        collect,
        directory);
  }

  /** The same with tasks that bring back files. */
  public RunOptions with(CollectRule rule) {
    return with(rule, directory);
  }

  /** The same, whose tasks' files are named from another directory. */
  public RunOptions in(Path other) {
    return with(collect, other);
  }

  private RunOptions with(CollectRule rule, Path from) {
    return new RunOptions(
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
        priority,
        rule,
        from);
  }
}
