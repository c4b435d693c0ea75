package io.cloudkon.provisioner.cli;

import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code provisioner}: its command line. What it will do when work piles up is not part of this
 * version, and it says so instead of looking as if it did something.
 */
@Command(
    name = "provisioner",
    description = {
      "Starts workers when the queue grows. This version only checks its options:",
      "start workers by hand."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  cloudkon provisioner -s Q --launcher process --max 4"})
public final class ProvisionerCommand implements Callable<Integer> {
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
      required = true,
      paramLabel = "NAME",
      description = "What starts workers: ec2, or process for this machine.")
  Launcher launcher = Launcher.PROCESS;

  @Option(
      names = "--max",
      required = true,
      paramLabel = "N",
      description = "Never more workers than this.")
  int max;

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
  Duration interval = Duration.ofSeconds(5);

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() {
    Names.checkCluster(queue);
    if (max < 1 || min < 0 || min > max) {
      throw new UsageException(
          "--min %d --max %d: expected 0 <= min <= max, and a max of 1 or more"
              .formatted(min, max));
    }
    if (interval.isZero()) {
      throw new UsageException("--interval: expected more than 0s");
    }
    throw new UsageException(
        "the %s launcher is not part of this version; start workers with: cloudkon worker -s %s"
            .formatted(launcher.name().toLowerCase(Locale.ROOT), queue));
  }
}
