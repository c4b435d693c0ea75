package io.cloudkon.client.cli;

import io.cloudkon.client.local.LocalCluster;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Meters;
import io.cloudkon.client.ship.Shipment;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.TaskFilesCheck;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.Carriers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Submits a new run and follows it to its report.
 *
 * @param command the command's name
 * @param named the cluster's queue, or LOCAL; if empty, the tasks run here, too, which is said
 * @param given the options that were actually given, which are kept with the run
 * @param origin the source of the tasks
 */
record Submission(
    String command,
    Optional<String> named,
    SubmitOptions options,
    GivenOptions given,
    TaskOrigin origin) {
  private static final Path HERE = Path.of("").toAbsolutePath();

  private String queue() {
    return named.orElse(Names.LOCAL);
  }

  /**
   * Runs until the run is over.
   *
   * @return the exit code
   */
  int run() throws IOException, InterruptedException {
    boolean local = queue().equals(Names.LOCAL);
    if (!local) {
      Names.checkCluster(queue());
    }
    options.check(local, origin.streamed());
    ShipPaths ships = ShipPaths.of(options.ship);
    if (!options.print.quiet) {
      ships.note().ifPresent(new CommandMessages(command)::say);
    }
    String run =
        options.runId == null ? RunIdentity.randomRun(Instant.now(), new Random()) : options.runId;
    RunOptions settings =
        options.numbers(local).options(Names.check("run id", run)).in(origin.directory());
    try (Shipment shipment = Shipment.of(ships.paths())) {
      RunFolder folder = RunFolder.choose(run, Optional.ofNullable(options.out), options.force);
      options.collect.check(folder);
      return local
          ? runLocal(settings, folder, shipment)
          : runOnCluster(settings, folder, shipment);
    }
  }

  private Workload open(
      RunOptions settings, RunFolder folder, Shipment shipment, OptionalInt slots) {
    TaskFilesCheck files =
        new TaskFilesCheck(
            settings.directory(),
            shipment.names(),
            !settings.collect().isEmpty(),
            folder.unkeptFiles());
    Workload workload =
        origin.open(new RunChecks(settings.consistency(), slots, Optional.of(files)));
    if (!origin.isRerun() && !options.collect.collect.isEmpty()) {
      try {
        workload.summary().ifPresent(this::checkCollect);
      } catch (UsageException e) {
        workload.close();
        throw e;
      }
    }
    return workload;
  }

  /** Refuses {@code --collect} where no task can bring back files, and says which cannot. */
  private void checkCollect(WorkloadSummary tasks) {
    String which = "--collect works only for commands that are not HPC jobs";
    if (tasks.jobs() == tasks.tasks() || tasks.kinds().getOrDefault(Work.Kind.EXEC, 0) == 0) {
      throw new UsageException(
          which + ", and this workload has none; leave it out, or write to a shared disk");
    }
    if (tasks.jobs() > 0 && !options.print.quiet) {
      new CommandMessages(command)
          .say(
              "%s: the %s of this workload bring nothing back"
                  .formatted(which, Wording.count(tasks.jobs(), "job")));
    }
  }

  private int runOnCluster(RunOptions settings, RunFolder folder, Shipment shipment)
      throws InterruptedException {
    SystemTime time = new SystemTime();
    // The workload is checked before the first call to AWS, because mistakes in it are more likely.
    try (Workload workload = open(settings, folder, shipment, OptionalInt.empty());
        AwsCloud cloud = options.aws.connect(time)) {
      if (namesFilesOfHere(settings, workload)) {
        UnsentFile.find(workload, settings.directory(), shipment)
            .ifPresent(file -> tell(file, "sent"));
      }
      Cluster cluster = cloud.cluster(queue());
      cloud.probe(queue(), StartCheck.ofClient(cluster));
      RunOptions shared = options.fairness().in(cluster, settings);
      if (!shipment.isEmpty()
          || !settings.collect().isEmpty()
          || workload.summary().map(WorkloadSummary::needsBlobStore).orElse(false)) {
        // Reports a missing bucket before anything is created.
        var unused = cluster.blobs().list(BlobKeys.run(settings.run()));
      }
      origin.shipped(shipment.pack());
      return start(shared, workload, folder, Meters.of(cloud, time), cluster, shipment, () -> {});
    }
  }

  /** Whether the tasks can be looked at, and name files as seen from this process's directory. */
  private static boolean namesFilesOfHere(RunOptions settings, Workload workload) {
    return settings.directory().toAbsolutePath().equals(HERE) && workload.summary().isPresent();
  }

  /**
   * Tells the user of a file that the first task does not find.
   *
   * @param done what would have been done with the tasks
   * @throws UsageException if no task can start without it
   */
  private void tell(UnsentFile file, String done) {
    if (file.isCertain() && origin.hasOneProgram()) {
      throw new UsageException("nothing was %s: %s".formatted(done, file.hint()));
    }
    if (!options.print.quiet) {
      new CommandMessages(command).say(file.hint());
    }
  }

  private int runLocal(RunOptions settings, RunFolder folder, Shipment shipment)
      throws InterruptedException, IOException {
    int slots =
        options.threads == null ? Runtime.getRuntime().availableProcessors() : options.threads;
    Carriers.provide(slots);
    SystemTime time = new SystemTime();
    try (Workload workload = open(settings, folder, shipment, OptionalInt.of(slots));
        LocalCluster local =
            LocalCluster.start(slots, Optional.ofNullable(options.handlers), time)) {
      if (namesFilesOfHere(settings, workload)) {
        UnsentFile.findLocally(workload, settings.directory(), shipment, settings.collect())
            .ifPresent(file -> tell(file, "run"));
      }
      origin.shipped(shipment.pack());
      if (named.isEmpty() && !options.print.quiet) {
        new CommandMessages(command).say("no -s QUEUE, so the tasks run here (-s LOCAL)");
      }
      return start(
          settings,
          workload,
          folder,
          Meters.local(time),
          local.cluster(),
          shipment,
          local::endWork);
    }
  }

  private int start(
      RunOptions settings,
      Workload workload,
      RunFolder chosen,
      Meters meters,
      Cluster cluster,
      Shipment shipment,
      Runnable leaving)
      throws InterruptedException {
    RunFolder folder =
        origin
            .keep(chosen, workload)
            .recording(settings.directory().toAbsolutePath(), given.lasting().values());
    RunIdentity identity = RunIdentity.fresh(queue(), settings.run(), new Random());
    return new ClientRun(
            command,
            workload.grows() ? settings.forOpenEnd() : settings,
            workload,
            origin.name(folder),
            origin.streamed(),
            folder,
            meters,
            origin.shown(options.print.shown()),
            options.detach,
            options.maxFailures(),
            options.label.label(),
            shipment::upload,
            false,
            origin.hooks(folder, settings.run()).withLeaving(leaving))
        .run(cluster, identity, session -> session.run(folder, origin.again(folder)));
  }
}
