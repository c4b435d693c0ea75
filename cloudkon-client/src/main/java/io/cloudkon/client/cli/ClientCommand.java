package io.cloudkon.client.cli;

import io.cloudkon.client.local.LocalCluster;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.Prices;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.Carriers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code client}: sends a workload and collects its results. */
@Command(
    name = "client",
    customSynopsis = "cloudkon client -s QUEUE -w FILE [OPTIONS]",
    description = "Runs a workload file: here, or on the workers of a cluster.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Lines of FILE: sleep 16 (ms; 5s too), noop, exec COMMAND…, java NAME ARGS…",
      "Example: cloudkon client -s LOCAL -t 4 -w tasks.txt",
    })
public final class ClientCommand implements Callable<Integer> {
  static final String LOCAL = "LOCAL";

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster's queue, or LOCAL for this process.")
  String queue = "";

  @Option(
      names = "-w",
      required = true,
      paramLabel = "FILE",
      description = "The workload: text or .jsonl; - is stdin.")
  String workloadFile = "";

  @Option(
      names = "-t",
      paramLabel = "N",
      description = "Client threads (2); with LOCAL, slots (cores).")
  @Nullable Integer threads;

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      converter = ConsistencyConverter.class,
      description = "exactly-once, at-most-once or at-least-once.")
  Consistency consistency = Consistency.EXACTLY_ONCE;

  @Option(
      names = "--bundle",
      paramLabel = "N",
      description = "Tasks per bundle. Default: adaptive.")
  @Nullable Integer bundle;

  @Option(
      names = "--bundle-target",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Work per bundle. Default: 250ms.")
  Duration bundleTarget = Duration.ofMillis(BundlerSettings.DEFAULT.targetMillis());

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "For tasks that name none. Default: no limit.")
  Duration timeout = Duration.ZERO;

  @Option(names = "--run-id", paramLabel = "ID", description = "Default: date, time and 4 digits.")
  @Nullable String runId;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Default: cloudkon-RUN. none writes no files.")
  @Nullable String out;

  @Option(names = "--force", description = "Replace the results in an existing --out.")
  boolean force;

  @Option(
      names = "--capture",
      paramLabel = "SIZE",
      converter = Sizes.Bytes.class,
      description = "Kept of each output stream. Default: 64KiB.")
  long capture = Limits.DEFAULT_CAPTURE_BYTES;

  @Option(names = "--stream", description = "Send while reading; a bad line stops it.")
  boolean stream;

  @Option(names = "--no-progress", description = "No progress display.")
  boolean noProgress;

  @Option(
      names = "--handlers",
      paramLabel = "JARDIR",
      description = "LOCAL: folder of jars with handlers.")
  @Nullable Path handlers;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws Exception {
    boolean local = queue.equals(LOCAL);
    if (!local) {
      Names.checkCluster(queue);
      if (handlers != null) {
        throw new UsageException(
            "--handlers goes with -s LOCAL; a cluster's handlers are given to its workers");
      }
    }
    String run = runId == null ? RunIdentity.randomRun(Instant.now(), new Random()) : runId;
    RunOptions options = options(Names.check("run id", run));
    RunFolder folder = RunFolder.choose(run, Optional.ofNullable(out), force);
    return local ? runLocal(options, folder) : runOnCluster(options, folder);
  }

  private int runOnCluster(RunOptions options, RunFolder folder) throws InterruptedException {
    SystemTime time = new SystemTime();
    // The workload is checked before anything is asked of AWS, as its mistakes are the likelier
    // ones.
    try (Workload workload = openWorkload();
        AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      Prices prices = Prices.list();
      return new ClientRun(
              options,
              workload,
              workloadFile,
              folder,
              time,
              () -> cloud.calls().snapshot(),
              prices::cost,
              millis -> (millis - time.offsetMillis()) * 1000,
              !noProgress)
          .run(cloud.cluster(queue));
    }
  }

  private int runLocal(RunOptions options, RunFolder folder)
      throws InterruptedException, IOException {
    int slots = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    Carriers.provide(slots);
    SystemTime time = new SystemTime();
    try (Workload workload = openWorkload();
        LocalCluster local = LocalCluster.start(slots, Optional.ofNullable(handlers), time)) {
      return new ClientRun(
              options,
              workload,
              workloadFile,
              folder,
              time,
              java.util.List::of,
              calls -> 0,
              millis -> millis * 1000,
              !noProgress)
          .run(local.cluster());
    }
  }

  private Workload openWorkload() {
    return stream
        ? Workload.stream(workloadFile, System.in, WorkloadFormat.AUTO)
        : Workload.open(workloadFile, System.in, WorkloadFormat.AUTO);
  }

  private RunOptions options(String run) {
    int clientThreads = threads == null || queue.equals(LOCAL) ? 2 : threads;
    if (threads != null && (threads < 1 || threads > 10_000)) {
      throw new UsageException("-t %d: expected 1 to 10000".formatted(threads));
    }
    if (bundle != null && (bundle < 1 || bundle > Limits.TASKS_PER_BUNDLE)) {
      throw new UsageException(
          "--bundle %d: expected 1 to %d tasks".formatted(bundle, Limits.TASKS_PER_BUNDLE));
    }
    if (bundleTarget.toMillis() < 1) {
      throw new UsageException("--bundle-target: expected 1ms or more");
    }
    if (capture > Limits.CAPTURE_BYTES) {
      throw new UsageException(
          "--capture %d: expected at most %dKiB; larger outputs go to a file of the task's own"
              .formatted(capture, Limits.CAPTURE_BYTES / 1024));
    }
    return new RunOptions(
        run,
        consistency,
        (int) capture,
        Math.min(clientThreads, 64),
        timeout.toMillis(),
        new BundlerSettings(
            bundle == null ? 0 : bundle, bundleTarget.toMillis(), Limits.FULL_BUNDLE_BYTES, true),
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }
}
