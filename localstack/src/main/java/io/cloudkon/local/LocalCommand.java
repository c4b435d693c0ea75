package io.cloudkon.local;

import io.cloudkon.core.config.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Runs the emulator in this process or in the background, and prints its endpoints. */
@Command(
    name = "cloudkon local",
    subcommands = {LocalStatusCommand.class, StopCommand.class},
    sortOptions = false,
    customSynopsis = "Usage: cloudkon local [OPTIONS] [status | stop]",
    synopsisHeading = "",
    description = {
      "SQS, DynamoDB and S3 on this machine's loopback, for as long as it runs. Prints",
      "the lines that point CloudKon, or any AWS SDK, at them, and runs until Ctrl-C."
    },
    commandListHeading = "Commands, for the one in the background:%n",
    footer = {
      "Examples:",
      "  cloudkon local                           runs here, on free ports",
      "  eval \"$(cloudkon local --background)\"    runs on; points this shell at it",
      "  cloudkon setup -s q && cloudkon client -s q -w tasks.txt",
      "  cloudkon local stop                      ends it; its contents are lost",
      "Exit codes: 0 done, 2 bad usage, 3 it cannot be started, found or stopped."
    })
final class LocalCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;
  private static final Duration MAX_LATENCY = Duration.ofSeconds(1);

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  CommandSpec spec;

  @Option(
      names = "--sqs-port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port for SQS; default: a free one.")
  int sqsPort;

  @Option(
      names = "--dynamodb-port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port for DynamoDB; default: a free one.")
  int dynamoDbPort;

  @Option(
      names = "--s3-port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port for S3; default: a free one.")
  int s3Port;

  @Option(
      names = "--emulate-latency",
      paramLabel = "TIME",
      defaultValue = "0",
      converter = Durations.WithUnit.class,
      description = "Delay answers of SQS and DynamoDB, by a median of TIME.")
  Duration latency = Duration.ZERO;

  @Option(names = "--background", description = "Return when it is ready, and leave it running.")
  boolean background;

  @Option(names = "--until-stdin-closes", description = "End when standard input closes.")
  boolean untilStdinCloses;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = {
        "Folder that records the background one; default:",
        "$$XDG_STATE_HOME/cloudkon or ~/.local/state/cloudkon"
      })
  @Nullable Path stateDir;

  /**
   * Set for the process that {@code --background} starts: the emulator itself, in its own session.
   */
  @Option(names = "--as-background", hidden = true)
  boolean asBackground;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Override
  public Integer call() {
    check(sqsPort, "--sqs-port");
    check(dynamoDbPort, "--dynamodb-port");
    check(s3Port, "--s3-port");
    List<Integer> chosen =
        Stream.of(sqsPort, dynamoDbPort, s3Port).filter(port -> port != 0).toList();
    if (chosen.size() != Set.copyOf(chosen).size()) {
      throw usage("--sqs-port, --dynamodb-port and --s3-port must differ.");
    }
    if (latency.compareTo(MAX_LATENCY) > 0) {
      throw usage("--emulate-latency must be at most 1s.");
    }
    if (background && untilStdinCloses) {
      throw usage("--background and --until-stdin-closes exclude each other.");
    }
    if (background) {
      startInBackground();
    } else {
      new ForegroundEmulator(spec.commandLine().getOut(), spec.commandLine().getErr())
          .run(this, StateDirectory.of(stateDir));
    }
    return 0;
  }

  /** The requested ports. */
  Endpoints ports() {
    return new Endpoints(sqsPort, dynamoDbPort, s3Port);
  }

  private void check(int port, String option) {
    if (port < 0 || port > MAX_PORT) {
      throw usage("%s must be 0 (any free one) to %d, not %d.".formatted(option, MAX_PORT, port));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void startInBackground() {
    StateDirectory state = StateDirectory.of(stateDir);
    RunningEmulator emulator;
    try (StateLock _ = state.lock()) {
      BackgroundEmulator background = new BackgroundEmulator(state);
      Optional<RunningEmulator> running = background.running();
      if (running.isPresent()) {
        emulator = running.get();
        tell("The emulator already runs: process %d.".formatted(emulator.pid()));
      } else {
        emulator = background.start(ports(), latency);
        tell(
            "The emulator runs: process %d, log %s. End it with: %s local stop"
                .formatted(emulator.pid(), state.log(), CommandName.asCalled()));
      }
    }
    spec.commandLine().getOut().println(emulator.exportLines());
  }

  private void tell(String line) {
    spec.commandLine().getErr().println(line);
  }
}
