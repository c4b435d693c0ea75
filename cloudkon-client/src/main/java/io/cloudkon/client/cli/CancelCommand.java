package io.cloudkon.client.cli;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.session.CancelRun;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.SystemTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cancel}: cancels a run. */
@Command(
    name = "cancel",
    description = {
      "Cancels a run: workers drop its tasks within seconds, and its client reports",
      "those without a result as CANCELLED. If no client collects it and its folder is",
      "here, this command collects the results that are waiting and reports the rest.",
      "Elsewhere it removes the run's queue and its objects in the blob store; but",
      "results that are waiting there are left for client --resume."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  cloudkon cancel -s Q 20260101-120000-k3x9q2"})
public final class CancelCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster. Default: that of the run's folder, if here.")
  @Nullable String queue;

  @Parameters(
      paramLabel = "RUN|FOLDER",
      description = "The run's id, which runs lists, or its folder.")
  String run = "";

  @Option(names = "--discard", description = "Drop results that no client has collected.")
  boolean discard;

  @Mixin ResultOptions print = new ResultOptions();

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException {
    NamedRun.checkOne(run, queue);
    NamedRun given = NamedRun.of(run, queue, "cancel");
    SystemTime time = new SystemTime();
    CommandMessages messages = new CommandMessages("cancel");
    OutputOptions output = print.shown();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(given.cluster());
      Cluster cluster = cloud.cluster(given.cluster());
      NamedRun named = given.in(cluster.runs());
      CancelRun cancel =
          new CancelRun(
              cluster,
              LeaseSettings.DEFAULT,
              RunIdentity.fresh(named.cluster(), named.id(), new Random()),
              time,
              Pause.real(),
              messages::say,
              discard,
              named.resume(),
              new CancelCompletion(named, cloud, time, output.ofReport(), messages::say));
      CancelRun.Cancelled cancelled = cancel.cancel();
      output.result(
          !cancelled.failed() && !cancelled.waiting(),
          cancelled.line(),
          () -> facts(named, cancelled));
      return cancelled.failed() ? ExitCodes.SOME_FAILED : ExitCodes.SUCCESS;
    }
  }

  private static Map<String, Object> facts(NamedRun run, CancelRun.Cancelled cancelled) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cluster", run.cluster());
    facts.put("run", run.id());
    facts.put("complete", cancelled.complete());
    facts.put("waiting", cancelled.waiting());
    facts.put("said", cancelled.line());
    return facts;
  }
}
