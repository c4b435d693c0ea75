package io.cloudkon.client.cli;

import io.cloudkon.client.report.Progress;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.runs.RunWait;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code wait}: waits until a run is over. */
@Command(
    name = "wait",
    description = {
      "Waits until a run is over; collects nothing. A run that no client collects is",
      "over when its workers have finished what was sent. Looks every 5 s, so it may",
      "return up to 5 s after the end."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit code 0 if every task succeeded, as far as is known, else 1.",
      "",
      "Example:",
      "  cloudkon wait -s Q 20260101-120000-k3x9q2"
    })
public final class WaitCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster. Default: that of the run's folder, if here.")
  @Nullable String queue;

  @Parameters(
      paramLabel = "RUN|FOLDER",
      description = "The run's id, which runs lists, or its folder.")
  String run = "";

  @Mixin PrintOptions print = new PrintOptions();

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws InterruptedException {
    NamedRun given = NamedRun.of(run, queue, "wait");
    String cluster = given.cluster();
    OutputOptions output = print.shown();
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probe(cluster);
      OptionalInt columns = output.columns();
      CommandMessages messages = CommandMessages.beside(columns, "wait");
      cloud.outages().tell(messages::say);
      Cluster of = cloud.cluster(cluster);
      NamedRun named = given.in(of.runs());
      WaitView view = new WaitView(of, time, messages::say);
      RunWait.Over over;
      try (Progress bar = view.show(columns)) {
        over = new RunWait(of, named.id(), time, Pause.real(), view::looked).await();
      }
      int exitCode = exitCode(over);
      output.result(exitCode == ExitCodes.SUCCESS, words(named, over), () -> facts(over));
      return exitCode;
    }
  }

  private static Map<String, Object> facts(RunWait.Over over) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("run", over.run().run());
    facts.put("over", over.why().name());
    facts.put("tasks", over.run().tasks());
    facts.put("sent", over.run().sent());
    facts.put("finished", over.progress().finished());
    facts.put("notSucceeded", over.progress().notSucceeded());
    facts.put("about", over.progress().about());
    return facts;
  }

  private static String words(NamedRun named, RunWait.Over over) {
    String id = over.run().run();
    String tasks = Wording.count(over.run().tasks(), "task");
    RunProgress progress = over.progress();
    String resume = named.resume().orElse(RunStatus.resume(named.cluster(), id));
    String bad =
        progress.notSucceeded() == 0
            ? ""
            : "; %s%,d did not succeed"
                .formatted(progress.about() ? "about " : "", progress.notSucceeded());
    return switch (over.why()) {
      case ENDED -> "Run %s has ended: %s%s".formatted(id, tasks, bad);
      case CANCELLED -> "Run %s was cancelled".formatted(id);
      case FINISHED ->
          "Run %s has finished, according to its workers: %s%s; collect the results with: %s"
              .formatted(id, tasks, bad, resume);
      case NOTHING_LEFT ->
          "No task of run %s is left in the queue or in progress, and workers counted %s of its %s; collect the results with: %s"
              .formatted(id, progress.number(), tasks, resume);
      case UNSENT ->
          "%,d of %s of run %s were sent, as far as is known, and no client sends the rest; resume the run with: %s"
              .formatted(over.run().sent(), tasks, id, resume);
    };
  }

  private static int exitCode(RunWait.Over over) {
    boolean whole = over.why() == RunWait.Why.ENDED || over.why() == RunWait.Why.FINISHED;
    return whole && over.progress().notSucceeded() == 0 ? ExitCodes.SUCCESS : ExitCodes.SOME_FAILED;
  }
}
