package io.cloudkon.local;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Stops the emulator in the background; succeeds if there is none. */
@Command(name = "stop", description = "End it, and wait until it is gone.")
final class StopCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  LocalCommand parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  CommandSpec spec;

  @Override
  public Integer call() {
    StateDirectory state = StateDirectory.of(parent.stateDir);
    try (StateLock _ = state.lock()) {
      Optional<BackgroundProcess> ended = new BackgroundEmulator(state).stop();
      spec.commandLine()
          .getErr()
          .println(
              ended
                  .map(emulator -> "The emulator, process %d, has ended.".formatted(emulator.pid()))
                  .orElse("No emulator runs in the background."));
    }
    return 0;
  }
}
