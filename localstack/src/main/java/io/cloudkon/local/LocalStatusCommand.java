package io.cloudkon.local;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Reports whether an emulator runs in the background, and prints its export lines again. */
@Command(name = "status", description = "Print its lines again; exit code 3 if none runs.")
final class LocalStatusCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  LocalCommand parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  CommandSpec spec;

  @Override
  public Integer call() {
    StateDirectory state = StateDirectory.of(parent.stateDir);
    RunningEmulator emulator;
    try (StateLock _ = state.lock()) {
      emulator = new BackgroundEmulator(state).running().orElseThrow(LocalStatusCommand::noneRuns);
    }
    spec.commandLine().getOut().println(emulator.exportLines());
    spec.commandLine().getErr().println("The emulator runs: process %d.".formatted(emulator.pid()));
    return 0;
  }

  private static LocalException noneRuns() {
    return new LocalException(
        "No emulator runs in the background. Start one with: %s local --background"
            .formatted(CommandName.asCalled()));
  }
}
