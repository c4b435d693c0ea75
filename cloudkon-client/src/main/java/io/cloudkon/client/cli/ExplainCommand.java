package io.cloudkon.client.cli;

import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.explain.Explainer;
import io.cloudkon.client.explain.Target;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: says why a run or a task still waits. */
@Command(
    name = "explain",
    description = {
      "Explains why a run or a task is still waiting. A task is RUN/ID, with its ID",
      "as in results.jsonl, or the ID alone if one open run has its folder here."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon explain 20260101-120000-k3x9q2",
      "  cloudkon explain -s Q 20260101-120000-k3x9q2/17"
    })
public final class ExplainCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster. Default: that of the run's folder, if here.")
  @Nullable String queue;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run's folder. Default: cloudkon-RUN.")
  @Nullable Path out;

  @Parameters(paramLabel = "RUN|TASK", description = "The run, or a task as RUN/TASK.")
  String what = "";

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException {
    String cluster;
    @Nullable NamedRun named = null;
    if (queue == null) {
      named = named();
      cluster = named.cluster();
    } else {
      cluster = Names.checkShared(queue);
    }
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(cluster);
      Cluster asked = cloud.cluster(cluster);
      Target target =
          named == null || out != null
              ? Target.of(asked, what, Optional.ofNullable(out), Path.of(""))
              : Target.of(
                  asked,
                  named.id() + what.substring(run(what).length()),
                  named.folder(),
                  Path.of(""));
      DeadLetterBox dead = new DeadLetterBox(asked.dead(), time);
      List<String> lines = new Explainer(asked, dead, time).explain(target);
      new OutputOptions(false, false, json)
          .facts(String.join("\n", lines), () -> facts(target, lines));
    }
    return ExitCodes.SUCCESS;
  }

  /** The run that is asked about, by its folder. */
  private NamedRun named() {
    String run = out == null ? run(what) : out.toString();
    return NamedRun.of(run, null, "explain");
  }

  /** The run of {@code RUN/TASK}, where RUN is a folder or an id. */
  private static String run(String runAndTask) {
    return RunsHere.head(runAndTask, Path.of(""), RunFolder.JOURNAL)
        .orElseGet(() -> {
          int slash = runAndTask.indexOf('/');
          return slash < 0 ? runAndTask : runAndTask.substring(0, slash);
        });
  }

  private static Map<String, Object> facts(Target target, List<String> lines) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("run", target.run().run());
    if (target.task() != null) {
      facts.put("task", target.task());
    }
    facts.put("lines", lines);
    return facts;
  }
}
