package io.cloudkon.worker.cli;

import io.cloudkon.core.aws.Ec2;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ForeignOptions;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.metrics.MetricsAddress;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.worker.execute.Carriers;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.lifetime.WorkerOrigins;
import io.cloudkon.worker.notice.OwnMachine;
import io.cloudkon.worker.service.WorkerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code worker}: runs the tasks of a cluster until it is stopped. */
@Command(
    name = "worker",
    customSynopsis = "cloudkon worker -s QUEUE [OPTIONS]",
    description = "Runs the tasks of a cluster, until stopped.",
    modelTransformer = WorkerHelp.class,
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Ctrl-C or SIGTERM drains: running tasks may finish, the rest runs elsewhere.",
      "Examples:",
      "  cloudkon worker -s Q -t 4",
      "  cloudkon worker -s Q --handlers jars/ --exit-when-idle 30s",
    })
public final class WorkerCommand implements Callable<Integer>, ForeignOptions {
  /** The options of HyperQueue, Dask, Celery, Ray and Slurm for the number of slots. */
  private static final Set<String> SLOTS =
      Set.of("--slots", "--threads", "--cpus", "--num-cpus", "--nthreads", "--concurrency", "-c");

  /** Two intervals fit into the time after which a provisioner takes a worker for dead. */
  private static final Duration LONGEST_WHERE_LAUNCHED =
      Duration.ofMillis(WorkerEntry.SILENT_MILLIS / 2);

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(
      names = "-t",
      paramLabel = "SLOTS",
      description = "Tasks and ranks at a time. Default: cores.")
  int slots = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--allow",
      paramLabel = "KIND",
      split = ",",
      converter = Kinds.class,
      description = "Kinds to run: noop, sleep, exec, java, shipped-java. Default: all.")
  Set<AllowedWork> allowed = EnumSet.allOf(AllowedWork.class);

  @Option(
      names = "--handlers",
      paramLabel = "JARDIR",
      description = "Folder of jars with handlers for java tasks.")
  @Nullable Path handlers;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "How long a claim holds. Default: 15s.")
  Duration lease = Duration.ofMillis(LeaseSettings.DEFAULT.lease());

  @Option(
      names = "--clock-margin",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Maximum difference between clocks. Default: 2s.")
  Duration margin = Duration.ofMillis(LeaseSettings.DEFAULT.margin());

  @Option(
      names = "--heartbeat",
      paramLabel = "TIME",
      converter = Durations.OrOff.class,
      description = "Interval of its status entries, or off. Default: 5s.")
  Duration heartbeat = WorkerConfig.DEFAULT_MONITOR_EVERY;

  @Option(
      names = "--drain-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "How long running tasks may continue. Default: 90s.")
  Duration drainTimeout = WorkerConfig.DEFAULT_DRAIN_TIMEOUT;

  @Option(
      names = "--sick-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "End if no task could start for this long. Default: 5m.")
  Duration sickTimeout = WorkerConfig.DEFAULT_SICK_TIMEOUT;

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description = "Maximum worker deaths per bundle. Default: 5.")
  int maxAttempts = AttemptSettings.DEFAULT.max();

  @Option(
      names = "--cache-size",
      paramLabel = "SIZE",
      converter = Sizes.Bytes.class,
      description = "Disk for unpacked shipped files. Default: 10GiB.")
  long cacheSize = WorkerConfig.DEFAULT_CACHE_BYTES;

  @Option(
      names = "--reply-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Wait for a lost response queue. Default: 60s.")
  Duration replyTimeout = WorkerConfig.DEFAULT_REPLY_TIMEOUT;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      converter = MetricsAddress.Converter.class,
      description = "Prometheus metrics on loopback, or at HOST:PORT. Default: none.")
  @Nullable MetricsAddress metricsPort;

  @Option(
      names = "--roles",
      paramLabel = "ROLE",
      split = ",",
      converter = Roles.class,
      description = "Roles to take: mtc (tasks), hpc (ranks of jobs). Default: both.")
  Set<Role> roles = EnumSet.allOf(Role.class);

  @Override
  public Optional<String> instead(String option) {
    return SLOTS.contains(option)
        ? Optional.of("the number of tasks that run at once is -t N")
        : Optional.empty();
  }

  /** A kind of work that a worker accepts. */
  enum Role {
    MTC,
    HPC
  }

  @Mixin TaskOptions taskOptions = new TaskOptions();
  @Mixin LifetimeOptions lifetime = new LifetimeOptions();
  @Mixin GangOptions gangOptions = new GangOptions();
  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws Exception {
    Carriers.provide(slots); // before the first virtual thread, which may ask for the instance
    WorkerOrigin told = WorkerOrigins.fromEnvironment(System.getenv());
    try (OwnMachine machine = OwnMachine.ask(Ec2.metadataService(), told)) {
      WorkerEnd end = WorkerEnd.of(machine, aws);
      return end.after(() -> new WorkerProcess(this, machine, end).run());
    }
  }

  /** A lease must outlast its heartbeat, a third of it, and the margin together. */
  private LeaseSettings leases() {
    try {
      return new LeaseSettings(lease.toMillis(), lease.toMillis() / 3, margin.toMillis());
    } catch (IllegalArgumentException e) {
      Duration least = Duration.ofMillis(Math.max(2, margin.toMillis() * 3 / 2));
      throw new UsageException(
          "--lease %s is too short for --clock-margin %s; expected more than %s, or a shorter margin"
              .formatted(
                  Durations.format(lease), Durations.format(margin), Durations.format(least)),
          e);
    }
  }

  /** The configuration from the options. */
  WorkerConfig config(WorkerOrigin origin, boolean originKnown) {
    if (slots < 1 || slots > 10_000) {
      throw new UsageException("-t %d: expected 1 to 10000 slots".formatted(slots));
    }
    if (maxAttempts < 1) {
      throw new UsageException("--max-attempts %d: expected 1 or more".formatted(maxAttempts));
    }
    WorkerSettings settings =
        new WorkerSettings(
            WorkerIds.fresh(origin, new Random()),
            slots,
            leases(),
            ReplySettings.DEFAULT,
            IntakeSettings.DEFAULT,
            AttemptSettings.ofMax(maxAttempts),
            roles.contains(Role.MTC),
            false);
    GangConfig gangs = gangs(settings);
    // Ranks outlive their manager's silence by at most half a lease, wherever their worker is.
    Duration guard = lease.minus(margin);
    Duration silence = lease.dividedBy(2);
    RunnerConfig runner =
        taskOptions.config(
            allowed,
            gangs != null && silence.compareTo(guard) < 0 ? silence : guard,
            gangOptions.mpiPorts(slots));
    return new WorkerConfig(
        settings,
        runner,
        drainTimeout,
        lifetime.config(origin, originKnown),
        monitorEvery(origin),
        cacheSize,
        replyTimeout,
        gangs,
        origin,
        sickTimeout());
  }

  /**
   * The interval of the status entries; null for none. A provisioner knows its workers by them
   * only.
   */
  private @Nullable Duration monitorEvery(WorkerOrigin origin) {
    if (origin.launched() && heartbeat.isZero()) {
      throw new UsageException(
          "--heartbeat off: a provisioner launched this worker, and ends workers that write no status entries; expected at most %s"
              .formatted(Durations.format(LONGEST_WHERE_LAUNCHED)));
    }
    if (tooLong(origin)) {
      return LONGEST_WHERE_LAUNCHED;
    }
    return heartbeat.isZero() ? null : heartbeat;
  }

  private boolean tooLong(WorkerOrigin origin) {
    return origin.launched() && heartbeat.compareTo(LONGEST_WHERE_LAUNCHED) > 0;
  }

  /** The difference between the options and what the worker does, and the reason for it. */
  Optional<String> warning(WorkerOrigin origin) {
    return tooLong(origin)
        ? Optional.of(
            "--heartbeat %s: a provisioner launched this worker, and would take it for dead between two status entries; it writes one every %s"
                .formatted(Durations.format(heartbeat), Durations.format(LONGEST_WHERE_LAUNCHED)))
        : Optional.empty();
  }

  private Duration sickTimeout() {
    if (sickTimeout.isZero()) {
      throw new UsageException("--sick-timeout 0: expected a time above 0, such as 5m");
    }
    return sickTimeout;
  }

  private @Nullable GangConfig gangs(WorkerSettings settings) {
    if (roles.contains(Role.HPC)) {
      return gangOptions.config(settings);
    }
    gangOptions.refuseAll();
    return null;
  }

  /** Converts the labels of allowed kinds of work. */
  static final class Kinds implements ITypeConverter<AllowedWork> {
    @Override
    public AllowedWork convert(String text) throws Exception {
      return Labels.converter(AllowedWork.class).convert(text);
    }
  }

  /** Converts the labels of roles. */
  static final class Roles implements ITypeConverter<Role> {
    @Override
    public Role convert(String text) throws Exception {
      return Labels.converter(Role.class).convert(text);
    }
  }
}
