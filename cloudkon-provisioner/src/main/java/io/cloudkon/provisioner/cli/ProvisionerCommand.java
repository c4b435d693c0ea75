package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.metrics.MetricsAddress;
import io.cloudkon.core.metrics.MetricsServer;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.provisioner.decide.DryRun;
import io.cloudkon.provisioner.decide.HaltPoint;
import io.cloudkon.provisioner.decide.ProvisionerConfig;
import io.cloudkon.provisioner.decide.ProvisionerService;
import io.cloudkon.provisioner.launch.ProcessLauncher;
import io.cloudkon.provisioner.metrics.ProvisionerMetrics;
import io.cloudkon.provisioner.record.DecisionReport;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code provisioner}: launches workers as the queue grows. */
@Command(
    name = "provisioner",
    customSynopsis = {
      "cloudkon provisioner -s QUEUE --launcher process --max N [OPTIONS]",
      "cloudkon provisioner -s QUEUE --explain"
    },
    description =
        "Launches workers when work piles up, until stopped. Idle workers end themselves.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "One provisioner of a cluster decides at a time; others wait for its lease.",
      "Ctrl-C or SIGTERM: its workers drain and end.",
      "Examples:",
      "  cloudkon provisioner -s Q --launcher process --max 4",
      "  cloudkon provisioner -s Q --launcher process --max 4 --dry-run",
      "  cloudkon provisioner -s Q --explain",
    })
public final class ProvisionerCommand implements Callable<Integer> {
  /** A worker's default drain timeout, and some. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(100);

  /** What starts workers. */
  enum Launcher {
    EC2,
    PROCESS
  }

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(
      names = "--launcher",
      paramLabel = "NAME",
      converter = Launchers.class,
      description = "What starts workers: process, on this machine. ec2 is yet to come.")
  @Nullable Launcher launcher;

  @Option(
      names = "--max",
      paramLabel = "N",
      description = "Never more workers than this, booting ones included.")
  @Nullable Integer max;

  @Option(
      names = "--min",
      paramLabel = "N",
      description = "Never fewer workers than this. Default: 0.")
  int min;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "How often it looks. Default: 5s.")
  Duration interval = Duration.ofMillis(ProvisioningSettings.INTERVAL_MILLIS);

  @Mixin PolicyOptions policy = new PolicyOptions();

  @Option(
      names = "--cooldown",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Wait after a launch before the next. Default: 0s.")
  Duration cooldown = Duration.ZERO;

  @Option(
      names = "--boot-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "A worker that is not up by then is replaced. Default: 5m.")
  Duration bootTimeout = Duration.ofMillis(ProvisioningSettings.BOOT_TIMEOUT_MILLIS);

  @Mixin PriceOptions prices = new PriceOptions();

  @Mixin ProcessOptions workers = new ProcessOptions();

  @Option(names = "--explain", description = "Print past decisions and their reasons, and end.")
  boolean explain;

  @Option(
      names = "--dry-run",
      description = "Print what it would launch each interval; launch nothing.")
  boolean dryRun;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      converter = MetricsAddress.Converter.class,
      description = "Prometheus metrics on loopback, or at HOST:PORT. Default: none.")
  @Nullable MetricsAddress metricsPort;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws Exception {
    Names.checkCluster(queue);
    if (explain) {
      return explain();
    }
    ProvisioningSettings settings = settings();
    HaltPoint.Reached halt = HaltPoint.fromEnvironment();
    String command = dryRun ? "" : command();
    SystemTime time = new SystemTime();
    try (MetricsServer server = metricsPort == null ? null : MetricsServer.bind(metricsPort);
        AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      Cluster cluster = cloud.cluster(queue);
      if (dryRun) {
        new DryRun(settings, cluster, time, System.out).run();
        return ExitCodes.SUCCESS;
      }
      Path base = workers.state != null ? workers.state : StateFolder.base(System.getenv());
      Path state = StateFolder.of(base, queue, cloud.address(queue)).toAbsolutePath();
      Path logs = (workers.logs != null ? workers.logs : state.resolve("logs")).toAbsolutePath();
      String id = ProvisionerIds.fresh(new SecureRandom());
      ProvisionerConfig config =
          new ProvisionerConfig(id, ProvisionerIds.host(), settings, LeaseSettings.DEFAULT);
      try (ProcessLauncher processes =
          new ProcessLauncher(state, logs, ProvisionerIds.machine(), command, time)) {
        ProvisionerService service =
            new ProvisionerService(config, cluster, processes, time, new SecureRandom(), halt);
        System.err.printf(
            "cloudkon provisioner %s: %d to %d workers of %d slots on queue %s; their logs: %s%n",
            id, settings.min(), settings.max(), settings.slots(), queue, logs);
        return provision(service, processes, server);
      }
    }
  }

  private static int provision(
      ProvisionerService service, ProcessLauncher processes, @Nullable MetricsServer server)
      throws InterruptedException {
    if (server == null) {
      return provision(service, processes);
    }
    try (ProvisionerMetrics metrics = new ProvisionerMetrics(service::fleet, service::holds)) {
      server.serve(metrics::scrape);
      System.err.printf("cloudkon provisioner: metrics at %s%n", server.url());
      return provision(service, processes);
    }
  }

  private static int provision(ProvisionerService service, ProcessLauncher processes)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread stop = Thread.ofPlatform().name("cloudkon-stop").unstarted(() -> stop(service, ended));
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      service.run();
      drain(processes);
      return ExitCodes.SUCCESS;
    } finally {
      ended.countDown();
    }
  }

  /** On SIGTERM or Ctrl-C: the process stays until its workers have ended. */
  private static void stop(ProvisionerService service, CountDownLatch ended) {
    service.stop();
    try {
      boolean unused = ended.await(2 * DRAIN_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void drain(ProcessLauncher processes) throws InterruptedException {
    long living = processes.living();
    if (living > 0) {
      System.err.printf(
          "cloudkon provisioner: %d worker%s drain and end%n", living, living == 1 ? "" : "s");
    }
    if (!processes.drain(DRAIN_LIMIT)) {
      System.err.printf(
          "cloudkon provisioner: %d still run after %d s; they end by themselves%n",
          processes.living(), DRAIN_LIMIT.toSeconds());
    }
  }

  private int explain() {
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      new DecisionReport(cloud.cluster(queue).decisions(), time.serviceMillis())
          .lines()
          .forEach(System.out::println);
      return ExitCodes.SUCCESS;
    }
  }

  private ProvisioningSettings settings() {
    if (launcher == null || max == null) {
      throw new UsageException(
          "missing option: expected -s QUEUE --launcher process --max N, or -s QUEUE --explain");
    }
    if (max < 1 || min < 0 || min > max) {
      throw new UsageException(
          "--min %d --max %d: expected 0 <= min <= max, and a max of 1 or more"
              .formatted(min, max));
    }
    if (launcher == Launcher.EC2) {
      throw new UsageException(
          "the ec2 launcher is not part of this version; use --launcher process, or start workers with: cloudkon worker -s %s"
              .formatted(queue));
    }
    workers.check();
    return new ProvisioningSettings(
        policy.policy(),
        min,
        max,
        workers.slots,
        workers.takes(),
        Times.positive("--interval", interval),
        Times.positive("--boot-timeout", bootTimeout),
        cooldown.toMillis(),
        prices.limit(),
        prices.of(ProcessLauncher.NAME));
  }

  private String command() throws IOException {
    if (workers.command != null) {
      return WorkerCommandLine.checked(workers.command);
    }
    var arguments = workers.arguments(queue);
    arguments.addAll(aws.arguments());
    return WorkerCommandLine.ofThisVersion(arguments);
  }

  /** Launchers, as they are written. */
  static final class Launchers implements ITypeConverter<Launcher> {
    @Override
    public Launcher convert(String text) throws Exception {
      return Labels.converter(Launcher.class).convert(text);
    }
  }
}
