package io.cloudkon.worker.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.Ec2;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.MissingCredentialsException;
import io.cloudkon.core.metrics.MetricsServer;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.hpc.rmi.Addresses;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.metrics.WorkerMetrics;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.notice.OwnMachine;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.io.IOException;

/**
 * The worker of this process, from its options to its exit code: checks the options, opens what it
 * needs, finds its cluster and works until it is to end. Used once, by the main thread.
 */
final class WorkerProcess {
  private final WorkerCommand options;
  private final OwnMachine machine;
  private final WorkerEnd end;

  /**
   * Has opened nothing yet.
   *
   * @param end receives the service that a signal is to drain
   */
  WorkerProcess(WorkerCommand options, OwnMachine machine, WorkerEnd end) {
    this.options = options;
    this.machine = machine;
    this.end = end;
  }

  /** Runs the worker; returns the exit code. */
  int run() throws Exception {
    Names.checkShared(options.queue);
    WorkerConfig config = options.config(machine.origin(), machine.originKnown());
    if (config.runner().start().user() != null
        && config.runner().allowed().contains(AllowedWork.SHIPPED_JAVA)) {
      System.err.println(
          "cloudkon worker: --task-user is for commands; handlers in shipped jars run with the"
              + " worker's own rights, unless --allow leaves out shipped-java");
    }
    options
        .warning(machine.origin())
        .ifPresent(warning -> System.err.println("cloudkon worker: " + warning));
    EndOfInput.watch();
    SystemTime time = new SystemTime();
    try (MetricsServer server =
            options.metricsPort == null ? null : MetricsServer.bind(options.metricsPort);
        HandlerRegistry registry =
            options.handlers == null
                ? HandlerRegistry.builtIn()
                : HandlerRegistry.load(options.handlers);
        AwsCloud cloud = connect(time)) {
      Cluster cluster = cloud.cluster(options.queue);
      StartCheck check = StartCheck.ofWorker(cluster);
      var unused =
          new ClusterWait(WorkerEnd::pause)
              .find(
                  machine.mayBeLaunched(),
                  () -> {
                    cloud.probe(options.queue, check);
                    return cluster;
                  });
      if (server == null) {
        return work(config, cloud, cluster, new WorkerStats(), registry, time);
      }
      try (WorkerMetrics metrics =
          new WorkerMetrics(config.settings(), cluster, time, cloud.calls()::snapshot)) {
        server.serve(metrics::scrape);
        System.err.printf("cloudkon worker: metrics at %s%n", server.url());
        return work(config, cloud, metrics.cluster(), metrics.stats(), registry, time);
      }
    }
  }

  /**
   * Connects to AWS. On an instance, a service manager is to try again if there are no credentials:
   * a role may be younger than its instance, and the metadata service may fail for a moment.
   */
  private AwsCloud connect(SystemTime time) throws InterruptedException {
    try {
      return options.aws.connect(time);
    } catch (MissingCredentialsException e) {
      if (Ec2.metadataService().isEmpty()) {
        throw e;
      }
    }
    try {
      return new ClusterWait(WorkerEnd::pause)
          .find(machine.mayBeLaunched(), () -> options.aws.connect(time));
    } catch (MissingCredentialsException e) {
      throw new CloudKonException(String.valueOf(e.getMessage()), e);
    }
  }

  private int work(
      WorkerConfig config,
      AwsCloud cloud,
      Cluster cluster,
      WorkerStats stats,
      HandlerRegistry registry,
      SystemTime time)
      throws InterruptedException, IOException {
    try (WorkerService service =
        new WorkerService(config, cluster, registry, time, () -> cloud.calls().snapshot(), stats)) {
      end.drains(service, config);
      options
          .gangOptions
          .warning(config.gangs(), Addresses::own, cloud.onThisMachine())
          .ifPresent(warning -> System.err.println("cloudkon worker: " + warning));
      cloud
          .outages()
          .tell(line ->
              System.err.printf(
                  "cloudkon worker %s: %s%n", config.settings().id(), Printable.text(line)));
      System.err.println(
          greeting(config.settings().id(), config.settings().slots(), options.queue));
      System.err.printf(
          "cloudkon worker: shipped files are %s%n", config.runner().shippedFiles().text());
      machine.watch(
          config.settings().id(),
          config.drainTimeout(),
          cluster.workers(),
          time,
          new LeavingWorker(service, origin -> options.lifetime.config(origin, true)));
      service.awaitEnd();
      if (service.failed()) {
        return ExitCodes.SERVICE;
      }
      if (service.sick()) {
        return ExitCodes.SICK;
      }
      return service.lifetime().endedItself() || machine.leaves()
          ? ExitCodes.ENDED_ITSELF
          : ExitCodes.SUCCESS;
    }
  }

  /** The line that says that the worker is ready. */
  static String greeting(String id, int slots, String queue) {
    return "cloudkon worker %s: %d %s on queue %s"
        .formatted(id, slots, slots == 1 ? "slot" : "slots", queue);
  }
}
