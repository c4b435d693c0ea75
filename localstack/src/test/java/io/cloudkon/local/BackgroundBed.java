package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** An emulator in the background, remembered in a folder of the test's own. */
abstract class BackgroundBed {
  static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @AfterEach
  void nothing_is_left_running() {
    assertThat(local("stop").exitCode()).isZero();
  }

  /** Where the emulator is remembered. */
  Path state() {
    return folder.resolve("state");
  }

  LocalProcess.Ended local(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command, "--state-dir=" + state()));
    arguments.addAll(List.of(more));
    return LocalProcess.run(arguments.toArray(String[]::new));
  }

  /** The emulator that is remembered. */
  ProcessHandle emulator() throws IOException {
    String remembered = Files.readString(state().resolve("emulator.properties"));
    return ProcessHandle.of(RunningEmulator.parse(remembered).orElseThrow().pid()).orElseThrow();
  }
}
