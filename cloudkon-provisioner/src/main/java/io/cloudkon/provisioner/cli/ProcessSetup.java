package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.process.StateFolder;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.provisioner.launch.ProcessLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets up the launcher of processes on this machine according to the options. Used by one thread.
 */
final class ProcessSetup implements LauncherSetup {
  /** A worker's default drain timeout plus a reserve. */
  static final Duration DRAIN_LIMIT = Duration.ofSeconds(100);

  /** Logs that were last written longer ago than this are removed. */
  static final Duration LOGS_KEPT = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(ProcessSetup.class);

  private final String queue;
  private final ProcessOptions workers;
  private final PriceOptions prices;
  private final AwsOptions aws;
  private String command = "";

  ProcessSetup(String queue, ProcessOptions workers, PriceOptions prices, AwsOptions aws) {
    this.queue = queue;
    this.workers = workers;
    this.prices = prices;
    this.aws = aws;
  }

  @Override
  public void check() throws IOException {
    workers.check();
    prices.checkAllowsOne(ProcessLauncher.NAME, prices.of(ProcessLauncher.NAME));
    command = command();
  }

  private String command() throws IOException {
    if (workers.command != null) {
      return WorkerCommandLine.checked(workers.command);
    }
    var arguments = workers.arguments(queue);
    arguments.addAll(aws.arguments());
    return WorkerCommandLine.ofThisVersion(arguments);
  }

  @Override
  public Workers workers(AwsCloud cloud) {
    double price = prices.of(ProcessLauncher.NAME);
    return new Workers(workers.slots(), price, Map.of(ProcessLauncher.NAME, price));
  }

  @Override
  public Opened open(AwsCloud cloud, SystemTime time) throws IOException {
    Path base = workers.state != null ? workers.state : StateFolder.base(System.getenv());
    Path state = StateFolder.of(base, queue, cloud.address(queue)).toAbsolutePath();
    Path logs = (workers.logs != null ? workers.logs : StateFolder.logs(state)).toAbsolutePath();
    removeOldLogs(state, time);
    ProcessLauncher processes =
        new ProcessLauncher(state, logs, ProvisionerIds.machine(), command, time);
    return new Processes(processes, logs);
  }

  /**
   * Removes old logs in the state folder. A folder that the user named with --logs is left alone.
   */
  private static void removeOldLogs(Path state, SystemTime time) {
    try {
      int unused =
          StateFolder.removeLogs(
              state, Instant.ofEpochMilli(time.wallMicros() / 1000).minus(LOGS_KEPT));
    } catch (UncheckedIOException e) {
      LOG.warn("old logs in '{}' could not be removed: {}", state, e.getMessage());
    }
  }

  record Processes(ProcessLauncher processes, Path logs) implements Opened {
    @Override
    public InstanceLauncher launcher() {
      return processes;
    }

    @Override
    public String about() {
      return "their logs: " + logs;
    }

    @Override
    public void drain(Consumer<String> say) throws InterruptedException {
      long living = processes.living();
      say.accept(
          living == 0
              ? "stopping; no worker is running"
              : "stopping; %s within %d s"
                  .formatted(
                      living == 1 ? "1 worker drains and ends" : living + " workers drain and end",
                      DRAIN_LIMIT.toSeconds()));
      if (!processes.drain(DRAIN_LIMIT)) {
        say.accept(
            "%s after %d s".formatted(stillRuns(processes.living()), DRAIN_LIMIT.toSeconds()));
      }
    }

    private static String stillRuns(long living) {
      return living == 1
          ? "1 worker still runs and ends by itself,"
          : living + " workers still run and end by themselves,";
    }

    @Override
    public void close() {
      processes.close();
    }
  }
}
