package io.cloudkon.core.aws;

import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.time.SystemTime;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every program does at its start, in a process of its own: environments are per process. */
@Command(name = "connect", mixinStandardHelpOptions = true)
final class ConnectMain implements Callable<Integer> {
  @Mixin AwsOptions aws = new AwsOptions();

  @Option(names = "-s", required = true)
  String queue;

  public static void main(String[] args) {
    System.exit(Cli.run(new ConnectMain(), args));
  }

  @Override
  public Integer call() {
    try (AwsCloud cloud = aws.connect(new SystemTime())) {
      cloud.probe(queue);
    }
    return 0;
  }
}
