package io.cloudkon.client.cli;

import io.cloudkon.client.status.ClusterStatus;
import io.cloudkon.client.status.QuitKey;
import io.cloudkon.client.status.StatusJson;
import io.cloudkon.client.status.StatusText;
import io.cloudkon.client.status.StatusWatch;
import io.cloudkon.client.status.TerminalScreen;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.cli.Signals;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: shows the state of a cluster. */
@Command(
    name = "status",
    description = "Shows a cluster's queues, workers, HPC jobs and runs.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon status -s Q",
      "  cloudkon status -s Q --watch",
      "  cloudkon status -s Q --json | jq .queue.waiting"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofMillis(100);

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  @Option(names = "--watch", description = "A live screen, until q or Ctrl-C.")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "With --watch: how often to ask. Default: 2s.")
  Duration interval = Duration.ofSeconds(2);

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException {
    Names.checkShared(queue);
    if (watch && json) {
      throw new UsageException("--watch and --json exclude each other; leave one out");
    }
    if (interval.compareTo(SHORTEST) < 0) {
      throw new UsageException("--interval: expected 100ms or more");
    }
    if (watch && !TerminalScreen.isThere(System.getenv())) {
      throw new UsageException(
          "--watch needs a terminal, but standard output is not one; leave it out, or use --json");
    }
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      return watch ? watch(cloud, time) : print(cloud, time);
    }
  }

  private int print(AwsCloud cloud, SystemTime time) {
    cloud.probe(queue);
    ClusterStatus status = ClusterStatus.read(cloud.cluster(queue), time.serviceMillis());
    System.out.print(
        Printable.text(
            json ? StatusJson.of(status) + System.lineSeparator() : StatusText.of(status)));
    System.out.flush();
    return ExitCodes.SUCCESS;
  }

  @SuppressWarnings("ClosingStandardOutputStreams") // the screen leaves the stream open
  private int watch(AwsCloud cloud, SystemTime time) throws InterruptedException {
    cloud.probe(queue);
    try (TerminalScreen screen = new TerminalScreen(System.out)) {
      StatusWatch statusWatch =
          new StatusWatch(
              () -> ClusterStatus.read(cloud.cluster(queue), time.serviceMillis()),
              screen,
              queue,
              interval,
              time::monotonicNanos);
      Thread end = Thread.ofPlatform().name("cloudkon-watch-end").unstarted(screen::close);
      Runtime.getRuntime().addShutdownHook(end);
      var unused = Signals.onCtrlC(() -> leave(screen));
      InputStream keys = screen.hasKeys() ? System.in : InputStream.nullInputStream();
      try (QuitKey quit = new QuitKey(keys, statusWatch::stop)) {
        statusWatch.run();
      } finally {
        forget(end);
      }
    }
    return ExitCodes.SUCCESS;
  }

  /** Ends the process successfully, because Ctrl-C is a normal way to leave the screen. */
  private static void leave(TerminalScreen screen) {
    screen.close();
    Runtime.getRuntime().halt(ExitCodes.SUCCESS);
  }

  private static void forget(Thread hook) throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      hook.join();
    }
  }
}
