package io.cloudkon.client.cli;

import io.cloudkon.client.status.ClusterStatus;
import io.cloudkon.client.status.StatusJson;
import io.cloudkon.client.status.StatusText;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: what a cluster does. */
@Command(
    name = "status",
    description = "Shows a cluster's queue, workers and runs.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon status -s Q",
      "  cloudkon status -s Q --json | jq .queue.waiting"
    })
public final class StatusCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() {
    Names.checkCluster(queue);
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      ClusterStatus status = ClusterStatus.read(cloud.cluster(queue), time.serviceMillis());
      System.out.print(
          json ? StatusJson.of(status) + System.lineSeparator() : StatusText.of(status));
      System.out.flush();
    }
    return ExitCodes.SUCCESS;
  }
}
