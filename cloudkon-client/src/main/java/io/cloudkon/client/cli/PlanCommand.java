package io.cloudkon.client.cli;

import io.cloudkon.client.plan.Planner;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plan}: predicts a workload's duration and cost on fleets of various sizes. */
@Command(
    name = "plan",
    customSynopsis = "cloudkon plan WORKLOAD [OPTIONS]",
    description = {
      "Estimates by simulation how long a workload would take and what it would cost",
      "on fleets of EC2 workers. Makes no calls to AWS and runs no tasks."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon plan tasks.txt --workers 10,50,200",
      "  cloudkon plan tasks.txt --duration java:sha256=2ms --duration 10ms..2s",
      "  cloudkon plan tasks.txt --like cloudkon-nightly --goal 10m"
    })
public final class PlanCommand implements Callable<Integer> {
  @Parameters(paramLabel = "WORKLOAD", description = "The workload: text or .jsonl; - is stdin.")
  String workload = "";

  @Option(
      names = "--workers",
      paramLabel = "N,…",
      description = "Sizes of the fleets. Default: 1,10,100,1000.")
  String workers = "1,10,100,1000";

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = {
        "Duration of exec and java tasks: 50ms, 10ms..2s,",
        "or for some java=2ms, java:sha256=2ms (repeatable)."
      })
  List<String> durations = new ArrayList<>();

  @Option(
      names = "--like",
      paramLabel = "FOLDER",
      description = "Durations as in the run with this folder.")
  @Nullable Path like;

  @Option(
      names = "--instance",
      paramLabel = "TYPE",
      description = "Each worker's EC2 instance. Default: c7i.xlarge.")
  String instance = "c7i.xlarge";

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Slots of each worker. Default: its vCPUs.")
  @Nullable Integer slots;

  @Option(
      names = "--hourly",
      paramLabel = "USD",
      description = "An instance's price. Default: on demand, us-east-1.")
  @Nullable Double hourly;

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Time that idle workers are paid for. Default: 60s.")
  Duration idle = Duration.ofSeconds(60);

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "N",
      description = "Client threads. Default: 2.")
  @Nullable Integer threads;

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      converter = ConsistencyConverter.class,
      description = "exactly-once, at-most-once or at-least-once.")
  Consistency consistency = Consistency.EXACTLY_ONCE;

  @Option(
      names = "--claim",
      paramLabel = "SCOPE",
      converter = ClaimConverter.class,
      description = "One claim per bundle or per task. Default: bundle.")
  ClaimScope claim = ClaimScope.BUNDLE;

  @Option(
      names = "--bundle",
      paramLabel = "N",
      description = "Tasks per bundle. Default: adaptive.")
  @Nullable Integer bundle;

  @Option(
      names = "--bundle-target",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Work per bundle and slot. Default: 250ms.")
  Duration bundleTarget = Duration.ofMillis(BundlerSettings.DEFAULT.targetMillis());

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = Durations.OrMillis.class,
      description = {"Median of every call. Default: SQS 8ms, DynamoDB", "5ms, S3 30ms."})
  @Nullable Duration latency;

  @Option(
      names = "--goal",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Find the smallest fleet that finishes in this time.")
  @Nullable Duration goal;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of random numbers. Default: 1.")
  long seed = 1;

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  /**
   * Read before the other options are parsed; declared so that it is accepted and appears in the
   * help.
   */
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read options from a properties file.")
  @Nullable Path config;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    RunOptions options = options();
    Planner planner = planner(options);
    planner.check();
    try (Workload tasks =
        Workload.open(workload, System.in, WorkloadFormat.AUTO, options.consistency())) {
      boolean shown = Terminal.columns(System.getenv()).isPresent();
      Planner.Answer answer;
      try {
        answer =
            planner.answer(tasks, count -> show(shown, "Simulating %,d workers".formatted(count)));
      } finally {
        show(shown, "");
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(json ? answer.json() + System.lineSeparator() : answer.text());
      out.flush();
    }
    return ExitCodes.SUCCESS;
  }

  private static void show(boolean shown, String line) {
    if (shown) {
      System.err.print("\r\033[K" + line);
      System.err.flush();
    }
  }

  /** The options, with the checks that the client makes. */
  private RunOptions options() {
    if (claim == ClaimScope.ONCE) {
      throw new UsageException(
          "--claim once works only with client --preset original; expected bundle or task");
    }
    return new RunNumbers(
            consistency,
            claim,
            threads,
            false,
            bundle,
            bundleTarget,
            Duration.ZERO,
            0,
            Limits.DEFAULT_CAPTURE_BYTES,
            false,
            new CollectOptions())
        .options("plan");
  }

  private Planner planner(RunOptions options) {
    return new Planner(
        workload,
        workers,
        durations,
        like,
        instance,
        hourly,
        slots,
        options.threads(),
        options.bundler(),
        options.consistency(),
        claim,
        latency,
        idle,
        goal,
        seed);
  }
}
