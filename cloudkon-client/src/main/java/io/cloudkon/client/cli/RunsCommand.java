package io.cloudkon.client.cli;

import io.cloudkon.client.runs.RunList;
import io.cloudkon.client.runs.RunSummary;
import io.cloudkon.client.runs.RunsJson;
import io.cloudkon.client.runs.RunsText;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code runs}: lists runs. */
@Command(
    name = "runs",
    description = {
      "Lists open runs: those of a cluster, or those whose folders are here.",
      "~ marks numbers that workers report for a run that no client collects."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Examples:", "  cloudkon runs --all", "  cloudkon runs -s Q --tag paper=fig3"})
public final class RunsCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  @Nullable String queue;

  @Option(names = "--all", description = "Also list runs that have ended.")
  boolean all;

  @Mixin LabelFilter label = new LabelFilter();

  @Option(names = "--json", description = "One JSON array, for scripts.")
  boolean json;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() {
    var wanted = label.label();
    SystemTime time = new SystemTime();
    List<RunSummary> found =
        (queue == null || queue.equals(Names.LOCAL)
                ? RunList.here(time.wallMicros() / 1000)
                : inCluster(queue, time))
            .stream()
                .filter(run -> queue == null || run.cluster().equals(queue))
                .filter(run -> run.isCalled(wanted))
                .toList();
    List<RunSummary> shown = found.stream().filter(run -> all || run.open()).toList();
    if (json) {
      System.out.println(Printable.text(RunsJson.of(shown)));
    } else if (shown.isEmpty()) {
      System.out.println(none(found.size()));
    } else {
      RunsText.of(shown, time.wallMicros() / 1000)
          .forEach(line -> System.out.println(Printable.line(line)));
    }
    System.out.flush();
    return ExitCodes.SUCCESS;
  }

  private List<RunSummary> inCluster(String cluster, SystemTime time) {
    Names.checkCluster(cluster);
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(cluster);
      return RunList.of(cloud.cluster(cluster), time.serviceMillis());
    }
  }

  private String none(int over) {
    boolean local = Names.LOCAL.equals(queue);
    String kind = local ? "local " : "";
    String where = queue == null || local ? "here" : "in cluster " + Printable.line(queue);
    return over == 0
        ? "No %sruns %s%s"
            .formatted(kind, where, queue == null ? "; name a cluster with -s QUEUE" : "")
        : "No %srun is open %s; %d %s ended: list %s with --all"
            .formatted(kind, where, over, over == 1 ? "has" : "have", over == 1 ? "it" : "them");
  }
}
