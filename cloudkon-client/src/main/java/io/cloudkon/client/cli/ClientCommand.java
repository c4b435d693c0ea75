package io.cloudkon.client.cli;

import io.cloudkon.client.local.LocalCluster;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Extras;
import io.cloudkon.client.session.Pause;
import io.cloudkon.client.session.Takeover;
import io.cloudkon.client.ship.Shipment;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.price.Prices;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.Carriers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code client}: sends a workload and collects its results. */
@Command(
    name = "client",
    customSynopsis = "cloudkon client -s QUEUE -w FILE [OPTIONS]",
    description = "Runs a workload file: here, or on the workers of a cluster.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Lines of FILE: sleep 16 (ms; 5s too), noop, exec COMMAND…, java NAME ARGS…;",
      "HPC jobs: hpc N before one of these, mpi N PROGRAM ARGS…",
      "Example: cloudkon client -s LOCAL -t 4 -w tasks.txt",
    })
public final class ClientCommand implements Callable<Integer> {

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster's queue, or LOCAL for this process.")
  String queue = "";

  @Option(
      names = "-w",
      paramLabel = "FILE",
      description = "The workload: text or .jsonl; - is stdin.")
  @Nullable String workloadFile;

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
  @Nullable Consistency consistency;

  @Option(
      names = "--claim",
      paramLabel = "SCOPE",
      converter = ClaimConverter.class,
      description = "One claim per bundle or per task. Default: bundle.")
  @Nullable ClaimScope claim;

  @Option(
      names = "--bundle",
      paramLabel = "N",
      description = "Tasks per bundle. Default: adaptive.")
  @Nullable Integer bundle;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      converter = Preset.Converter.class,
      description = {
        "original (as published): --consistency at-most-once",
        "--claim task --bundle 1; options given win."
      })
  Preset preset = Preset.NONE;

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

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "Tries after a failure or timeout. Default: 0.")
  int retries;

  @Option(
      names = "--ship",
      paramLabel = "PATH",
      description = "File or folder each task finds (repeatable).")
  List<Path> ship = new ArrayList<>();

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description = "Go on with a run, whose files lie in --out.")
  @Nullable String resume;

  @Option(names = "--detach", description = "Leave after the last send; collect by --resume.")
  boolean detach;

  @Option(
      names = "--priority",
      paramLabel = "LEVEL",
      converter = PriorityConverter.class,
      description = "low, normal or high, in a fair cluster.")
  @Nullable Priority priority;

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

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    boolean local = queue.equals(Names.LOCAL);
    if (!local) {
      Names.checkCluster(queue);
      if (handlers != null) {
        throw new UsageException(
            "--handlers goes with -s LOCAL; a cluster's handlers are given to its workers");
      }
    }
    if (resume != null) {
      return resume(Names.check("run id", resume));
    }
    String file = workloadFile;
    if (file == null) {
      throw new UsageException("missing required option: '-w=FILE'; see cloudkon client --help");
    }
    String run = runId == null ? RunIdentity.randomRun(Instant.now(), new Random()) : runId;
    RunOptions options = numbers().options(Names.check("run id", run));
    checkDetach(local);
    try (Shipment shipment = Shipment.of(ship)) {
      RunFolder folder = RunFolder.choose(run, Optional.ofNullable(out), force);
      if (local) {
        fairness().checkLocal();
      }
      return local
          ? runLocal(options, file, folder, shipment)
          : runOnCluster(options, file, folder, shipment);
    }
  }

  private Fairness fairness() {
    return new Fairness(Optional.ofNullable(priority), detach);
  }

  private void checkDetach(boolean local) {
    if (detach && local) {
      throw new UsageException(
          "--detach cannot go with -s LOCAL: the tasks run in this process, and end with it");
    }
    if (detach && (RunFolder.NONE.equals(out) || stream)) {
      throw new UsageException(
          "--detach cannot go with %s: nobody could collect the results later"
              .formatted(stream ? "--stream" : "--out none"));
    }
  }

  RunNumbers numbers() {
    Consistency mode = consistency == null ? preset.consistency() : consistency;
    return new RunNumbers(
        mode,
        claim == null ? preset.claim(mode) : claim,
        threads,
        queue.equals(Names.LOCAL),
        bundle == null ? preset.bundle() : bundle,
        bundleTarget,
        timeout,
        retries,
        capture,
        detach);
  }

  private int runOnCluster(RunOptions options, String file, RunFolder folder, Shipment shipment)
      throws InterruptedException {
    SystemTime time = new SystemTime();
    // The workload is checked before anything is asked of AWS, as its mistakes are the likelier
    // ones.
    try (Workload workload = openWorkload(file, options);
        AwsCloud cloud = aws.connect(time)) {
      Cluster cluster = cloud.cluster(queue);
      cloud.probe(queue, StartCheck.ofClient(cluster));
      RunOptions shared = fairness().in(cluster, options);
      if (!shipment.isEmpty()
          || workload.summary().map(WorkloadSummary::needsBlobStore).orElse(false)) {
        // A bucket that is missing is said before anything is made.
        var unused = cluster.blobs().list(BlobKeys.run(options.run()));
      }
      shipment.pack();
      RunIdentity identity = RunIdentity.fresh(queue, options.run(), new Random());
      return clientRun(shared, workload, file, folder, meters(cloud, time), shipment::upload)
          .run(cluster, identity, session -> session.run(folder, readAgain(file)));
    }
  }

  private int runLocal(RunOptions options, String file, RunFolder folder, Shipment shipment)
      throws InterruptedException, IOException {
    int slots = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    Carriers.provide(slots);
    SystemTime time = new SystemTime();
    try (Workload workload = openLocally(file, options, slots);
        LocalCluster local = LocalCluster.start(slots, Optional.ofNullable(handlers), time)) {
      shipment.pack();
      RunIdentity identity = RunIdentity.fresh(Names.LOCAL, options.run(), new Random());
      return clientRun(options, workload, file, folder, Meters.local(time), shipment::upload)
          .run(local.cluster(), identity, session -> session.run(folder, readAgain(file)));
    }
  }

  private int resume(String run) throws InterruptedException {
    Resumption resumption =
        Resumption.of(
            queue,
            run,
            Optional.ofNullable(out),
            Optional.ofNullable(consistency),
            Optional.ofNullable(claim),
            spec.commandLine().getParseResult()::hasMatchedOption);
    RunOptions options = numbers().resumed(resumption.header());
    String file = resumption.workload(Optional.ofNullable(workloadFile));
    SystemTime time = new SystemTime();
    try (Workload workload = openWorkload(file, options);
        AwsCloud cloud = aws.connect(time)) {
      resumption.checkSame(workload, file);
      Cluster cluster = cloud.cluster(queue);
      cloud.probe(queue, StartCheck.ofClient(cluster));
      RunOptions shared = fairness().in(cluster, options);
      RunIdentity fresh = RunIdentity.fresh(queue, run, new Random());
      Takeover.Taken taken =
          new Takeover(cluster, options.lease(), time, Pause.real(), ClientRun::say)
              .take(resumption.header(), fresh, resumption.place());
      RunFolder folder = resumption.folder();
      return clientRun(
              shared, workload, file, folder, meters(cloud, time), (blobs, id) -> List.of())
          .run(cluster, taken.identity(), session -> session.resume(taken, folder));
    }
  }

  private ClientRun clientRun(
      RunOptions options,
      Workload workload,
      String file,
      RunFolder folder,
      Meters meters,
      Extras.Shipper shipper) {
    return new ClientRun(
        options, workload, file, stream, folder, meters, !noProgress, detach, shipper);
  }

  private static Meters meters(AwsCloud cloud, SystemTime time) {
    Prices prices = Prices.list();
    return new Meters(
        time,
        () -> cloud.calls().snapshot(),
        prices::cost,
        millis -> (millis - time.offsetMillis()) * 1000);
  }

  private Workload openWorkload(String file, RunOptions options) {
    return stream
        ? Workload.stream(file, System.in, WorkloadFormat.AUTO, options.consistency())
        : Workload.open(file, System.in, WorkloadFormat.AUTO, options.consistency());
  }

  private Workload openLocally(String file, RunOptions options, int slots) {
    return stream
        ? Workload.streamLocal(file, System.in, WorkloadFormat.AUTO, options.consistency(), slots)
        : Workload.openLocal(file, System.in, WorkloadFormat.AUTO, options.consistency(), slots);
  }

  /** Where a client finds it that is started elsewhere. */
  private static String readAgain(String file) {
    return file.equals("-") ? file : Path.of(file).toAbsolutePath().toString();
  }
}
