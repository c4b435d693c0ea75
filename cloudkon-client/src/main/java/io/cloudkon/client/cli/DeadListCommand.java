package io.cloudkon.client.cli;

import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.dead.DeadLetterJson;
import io.cloudkon.client.dead.DeadLetterText;
import io.cloudkon.client.dead.LetterLine;
import io.cloudkon.client.status.TerminalScreen;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dead list}: lists the dead letters, one per line. Changes nothing. */
@Command(
    name = "list",
    description = "Lists a cluster's dead letters, the oldest first.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class DeadListCommand implements Callable<Integer> {
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
  public Integer call() throws InterruptedException {
    Names.checkShared(queue);
    SystemTime time = new SystemTime();
    List<LetterLine> letters = new ArrayList<>();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(queue);
      DeadLetterBox box = new DeadLetterBox(cloud.cluster(queue).dead(), time);
      long all = box.size().orElse(0);
      long read = box.browse(all, letter -> letters.add(LetterLine.of(letter)));
      if (!DeadLetterBox.isAll(read, all)) {
        System.err.printf(
            "cloudkon dead list: the list may be incomplete: there are about %,d letters; another"
                + " program may be reading them%n",
            all);
      }
    }
    letters.sort(Comparator.comparingLong(LetterLine::sentMillis).thenComparing(LetterLine::id));
    print(letters, time.serviceMillis());
    return ExitCodes.SUCCESS;
  }

  private void print(List<LetterLine> letters, long now) {
    if (json) {
      System.out.println(Printable.text(DeadLetterJson.of(queue, letters)));
    } else if (letters.isEmpty()) {
      System.out.println("No dead letters.");
    } else {
      int columns = TerminalScreen.columns(System.getenv()).orElse(Integer.MAX_VALUE);
      System.out.println(DeadLetterText.head());
      letters.forEach(l -> System.out.println(Printable.text(DeadLetterText.row(l, now, columns))));
    }
    System.out.flush();
  }
}
