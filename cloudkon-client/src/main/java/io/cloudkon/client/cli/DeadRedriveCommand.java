package io.cloudkon.client.cli;

import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.dead.Redrive;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Fairness;
import io.cloudkon.client.session.Meters;
import io.cloudkon.client.ship.Shipment;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.TaskFilesCheck;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dead redrive}: runs the tasks of dead letters as a new run. */
@Command(
    name = "redrive",
    description = {
      "Runs the tasks of dead letters as a new run.",
      "A letter is deleted when all of its tasks have been sent."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class DeadRedriveCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "The letters' ids, as dead list shows them. Default: all.")
  List<String> ids = new ArrayList<>();

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      converter = ConsistencyConverter.class,
      description = "Default: as in the letters' runs.")
  @Nullable Consistency consistency;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "Further tries for tasks that had none. Default: 0.")
  int retries;

  @Option(
      names = "--ship",
      paramLabel = "PATH",
      description = "What the letters' runs shipped (repeatable).")
  List<Path> ship = new ArrayList<>();

  @Option(
      names = "--run-id",
      paramLabel = "ID",
      description = "Default: date, time and 6 characters.")
  @Nullable String runId;

  @Option(names = "--out", paramLabel = "DIR", description = "Default: cloudkon-RUN.")
  @Nullable String out;

  @Mixin PrintOptions print = new PrintOptions();

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException, IOException {
    Names.checkShared(queue);
    String run = runId == null ? RunIdentity.randomRun(Instant.now(), new Random()) : runId;
    Names.check("run id", run);
    RunFolder folder = RunFolder.choose(run, Optional.ofNullable(out), false);
    Path place =
        folder
            .path()
            .orElseThrow(() ->
                new UsageException(
                    "--out none cannot be combined with redrive: without its files, the run could"
                        + " not be resumed if this client died"));
    SystemTime time = new SystemTime();
    List<Path> ships = ShipPaths.of(ship).paths();
    try (Shipment shipment = Shipment.of(ships);
        AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      shipment.pack();
      Cluster cluster = cloud.cluster(queue);
      DeadLetterBox box = new DeadLetterBox(cluster.dead(), time);
      Path file = place.resolveSibling(place.getFileName() + ".jsonl");
      try (Redrive redrive = Redrive.take(cluster, box, ids, names(ships), Path.of(""), file)) {
        say(redrive);
        RunOptions options =
            new Fairness(Optional.empty(), false).in(cluster, options(redrive, run));
        RunFolder recording = folder.recording(KeptOptions.here(), kept(options, ships));
        return run(redrive, options, recording, file, shipment, cloud, time);
      }
    }
  }

  /** The options with which a rerun would submit the run's tasks. */
  private static Map<String, List<String>> kept(RunOptions options, List<Path> ships) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    kept.put("--consistency", List.of(options.consistency().label()));
    kept.put("--retries", List.of(Integer.toString(options.retries())));
    kept.put("--capture", List.of(Integer.toString(options.captureBytes())));
    kept.put("--collect-size", List.of(Long.toString(options.collect().maxBytes())));
    kept.put("--collect-files", List.of(Integer.toString(options.collect().maxFiles())));
    if (options.collect().failed()) {
      kept.put("--collect-failed", List.of());
    }
    if (!ships.isEmpty()) {
      kept.put("--ship", ships.stream().map(path -> path.toAbsolutePath().toString()).toList());
    }
    return kept;
  }

  /** The names under which tasks find the shipped files and folders. */
  private static List<String> names(List<Path> ships) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path path : ships) {
      names.add(Tree.nameOf(path));
    }
    return names;
  }

  private static void say(Redrive redrive) {
    redrive
        .refused()
        .forEach(why -> System.err.println("cloudkon dead redrive: " + Printable.text(why)));
    if (redrive.tasks() == 0) {
      throw new UsageException("no task can be redriven; the dead letters are kept");
    }
    if (redrive.leftForLater() > 0) {
      System.err.printf(
          "cloudkon dead redrive: about %,d letters are left for another redrive%n",
          redrive.leftForLater());
    }
  }

  private RunOptions options(Redrive redrive, String run) {
    Consistency mode =
        Optional.ofNullable(consistency)
            .or(redrive::consistency)
            .orElseThrow(() ->
                new UsageException(
                    "the letters' runs differ in their consistency; choose one with"
                        + " --consistency"));
    return new RunNumbers(
            mode,
            ClaimScope.BUNDLE,
            null,
            false,
            null,
            Duration.ofMillis(BundlerSettings.DEFAULT.targetMillis()),
            Duration.ZERO,
            retries,
            redrive.captureBytes(),
            false,
            new CollectOptions())
        .options(run)
        .with(redrive.collect());
  }

  private int run(
      Redrive redrive,
      RunOptions options,
      RunFolder folder,
      Path file,
      Shipment shipment,
      AwsCloud cloud,
      SystemTime time)
      throws InterruptedException {
    String name = file.toAbsolutePath().toString();
    try (Workload workload =
        Workload.open(
            name,
            InputStream.nullInputStream(),
            WorkloadFormat.AUTO,
            new RunChecks(
                options.consistency(),
                OptionalInt.empty(),
                Optional.of(
                    new TaskFilesCheck(
                        options.directory(),
                        shipment.names(),
                        !options.collect().isEmpty(),
                        folder.unkeptFiles()))))) {
      print
          .shown()
          .line("%s: run %s, workload %s".formatted(redrive.summary(), options.run(), file));
      RunIdentity identity = RunIdentity.fresh(queue, options.run(), new Random());
      return new ClientRun(
              "dead redrive",
              options,
              workload,
              file.toString(),
              false,
              folder,
              Meters.of(cloud, time),
              print.shown(),
              false,
              OptionalLong.empty(),
              RunLabel.NONE,
              shipment::upload,
              false,
              RunHooks.NONE)
          .run(
              redrive.cluster(),
              identity,
              session -> {
                redrive.begin();
                return session.run(folder, name);
              });
    }
  }
}
