package io.cloudkon.client.cli;

import io.cloudkon.client.dead.DeadLetter;
import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.dead.DeadLetterJson;
import io.cloudkon.client.dead.DeadLetterText;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dead show}: shows a dead letter in full. Changes nothing. */
@Command(
    name = "show",
    description = "Shows a dead letter, its tasks as lines of a .jsonl workload.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class DeadShowCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Parameters(paramLabel = "ID", description = "The letter's id, as dead list shows it.")
  String id = "";

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException {
    Names.checkShared(queue);
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      DeadLetter letter = new DeadLetterBox(cloud.cluster(queue).dead(), time).find(id);
      System.out.print(
          Printable.text(
              json
                  ? DeadLetterJson.of(queue, letter) + "\n"
                  : DeadLetterText.of(letter, queue, time.serviceMillis())));
      System.out.flush();
    }
    return ExitCodes.SUCCESS;
  }
}
