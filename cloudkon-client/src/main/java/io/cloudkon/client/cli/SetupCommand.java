package io.cloudkon.client.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code setup}: creates a cluster. */
@Command(
    name = "setup",
    description =
        "Creates every queue and table of a cluster, and the bucket.\n"
            + "What exists is left as it is.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  cloudkon setup -s Q"})
public final class SetupCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() {
    Names.checkCluster(queue);
    try (AwsCloud cloud = aws.connect(new SystemTime())) {
      cloud.probeServices(queue);
      List<String> made = cloud.setup().setup(queue);
      String owner =
          cloud.setup().stack(queue).map(" (it belongs to stack %s)"::formatted).orElse("");
      System.out.printf("cluster %s is ready%s: %s%n", queue, owner, String.join(", ", made));
    }
    return ExitCodes.SUCCESS;
  }
}
