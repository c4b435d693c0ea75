package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.JsonText;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.metrics.MetricsAddress;
import io.cloudkon.core.metrics.MetricsServer;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.provisioner.decide.DryRun;
import io.cloudkon.provisioner.decide.ProvisionerConfig;
import io.cloudkon.provisioner.decide.ProvisionerService;
import io.cloudkon.provisioner.metrics.ProvisionerMetrics;
import io.cloudkon.provisioner.record.DecisionReport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
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
      "       cloudkon provisioner -s QUEUE --launcher ec2 --launch-template T --max N",
      "       cloudkon provisioner -s QUEUE --explain"
    },
    description =
        "Launches workers when work piles up, until stopped. Idle workers end themselves.",
    modelTransformer = ProvisionerHelp.class,
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "One provisioner of a cluster decides at a time; others wait for its lease.",
      "Ctrl-C or SIGTERM: worker processes drain and end; instances keep working.",
      "Examples:",
      "  cloudkon provisioner -s Q --launcher process --max 4",
      "  cloudkon provisioner -s Q --launcher process --max 4 --dry-run",
      "  cloudkon provisioner -s Q --launcher ec2 --launch-template workers --max 20",
      "  cloudkon provisioner -s Q --explain",
    })
public final class ProvisionerCommand implements Callable<Integer> {
  private static final long SHORTEST_INTERVAL_MILLIS = 100;

  /** The launchers. */
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
      description = "What starts workers: process (here) or ec2.")
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

  @Mixin Ec2Options ec2 = new Ec2Options();

  @Option(names = "--explain", description = "Print past decisions and their reasons, and end.")
  boolean explain;

  @Option(names = "--json", description = "With --explain: one JSON object, for scripts.")
  boolean json;

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
    Names.checkShared(queue);
    if (explain && dryRun) {
      throw new UsageException("--explain and --dry-run exclude each other: choose one of the two");
    }
    if (explain) {
      return explain();
    }
    LauncherSetup setup = setup();
    // Everything that can be checked without a service is checked before a service is called.
    var unused = settings(LauncherSetup.Workers.UNKNOWN);
    setup.check();
    SystemTime time = new SystemTime();
    try (MetricsServer server = metricsPort == null ? null : MetricsServer.bind(metricsPort);
        AwsCloud cloud = aws.connect(time)) {
      ProvisioningSettings settings = settings(setup.workers(cloud));
      Cluster cluster = cloud.cluster(queue);
      cloud.probe(queue, dryRun ? StartCheck.ofDryRun(cluster) : StartCheck.ofProvisioner(cluster));
      if (dryRun) {
        new DryRun(settings, cluster, time, System.out).run();
        return ExitCodes.SUCCESS;
      }
      String id = ProvisionerIds.fresh(new SecureRandom());
      ProvisionerConfig config =
          new ProvisionerConfig(id, ProvisionerIds.host(), settings, LeaseSettings.DEFAULT);
      try (LauncherSetup.Opened opened = setup.open(cloud, time)) {
        ProvisionerService service =
            new ProvisionerService(config, cluster, opened.launcher(), time, new SecureRandom());
        System.err.printf(
            "cloudkon provisioner %s: %d to %d workers of %d slot%s on queue %s; %s%n",
            id,
            settings.min(),
            settings.max(),
            settings.slots(),
            settings.slots() == 1 ? "" : "s",
            queue,
            opened.about());
        return provision(service, opened, server);
      }
    }
  }

  private static int provision(
      ProvisionerService service, LauncherSetup.Opened opened, @Nullable MetricsServer server)
      throws InterruptedException {
    if (server == null) {
      return provision(service, opened);
    }
    try (ProvisionerMetrics metrics = new ProvisionerMetrics(service::fleet, service::holds)) {
      server.serve(metrics::scrape);
      System.err.printf("cloudkon provisioner: metrics at %s%n", server.url());
      return provision(service, opened);
    }
  }

  private static int provision(ProvisionerService service, LauncherSetup.Opened opened)
      throws InterruptedException {
    try (StopSignals signals = StopSignals.install(service)) {
      service.run();
      opened.drain(line -> System.err.printf("cloudkon provisioner: %s%n", line));
      return signals.interrupted() ? ExitCodes.INTERRUPTED : ExitCodes.SUCCESS;
    }
  }

  private int explain() {
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      DecisionReport report =
          new DecisionReport(cloud.cluster(queue).decisions(), time.serviceMillis());
      if (json) {
        System.out.println(Printable.text(JsonText.of(report.facts(queue))));
      } else {
        report.lines().forEach(line -> System.out.println(Printable.text(line)));
      }
      return ExitCodes.SUCCESS;
    }
  }

  private LauncherSetup setup() {
    if (launcher == null || max == null) {
      String missing =
          launcher != null ? "--max" : max != null ? "--launcher" : "--launcher and --max";
      throw new UsageException(
          "missing option %s: expected -s QUEUE --launcher NAME --max N, or -s QUEUE --explain"
              .formatted(missing));
    }
    return switch (launcher) {
      case EC2 -> new Ec2Setup(queue, ec2, workers, prices);
      case PROCESS -> {
        ec2.refuseAll();
        yield new ProcessSetup(queue, workers, prices, aws);
      }
    };
  }

  private ProvisioningSettings settings(LauncherSetup.Workers launched) {
    int most = max == null ? 0 : max;
    if (most < 1 || min < 0 || min > most) {
      throw new UsageException(
          "--min %d --max %d: expected 0 <= min <= max, and a max of 1 or more"
              .formatted(min, most));
    }
    return new ProvisioningSettings(
        policy.policy(),
        min,
        most,
        launched.slots(),
        workers.takes(),
        interval(),
        Times.positive("--boot-timeout", bootTimeout),
        cooldown.toMillis(),
        prices.limit(),
        launched.usdPerHour(),
        launched.prices(),
        launched.typeSlots());
  }

  /**
   * The interval in milliseconds. It has a minimum because each reading makes several calls, which
   * are billed.
   */
  private long interval() {
    if (interval.toMillis() < SHORTEST_INTERVAL_MILLIS) {
      throw new UsageException(
          "--interval %s: expected 100ms or more, such as 5s"
              .formatted(Durations.format(interval)));
    }
    return interval.toMillis();
  }

  /** Converts launchers. */
  static final class Launchers implements ITypeConverter<Launcher> {
    @Override
    public Launcher convert(String text) throws Exception {
      return Labels.converter(Launcher.class).convert(text);
    }
  }
}
