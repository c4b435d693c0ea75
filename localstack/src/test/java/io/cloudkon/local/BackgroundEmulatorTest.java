package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackgroundEmulatorTest {
  @Test
  void emulator_in_the_background_has_the_same_folder_for_temporary_files() {
    BackgroundEmulator emulator = new BackgroundEmulator(new StateDirectory(Path.of("state")));
    assertThat(emulator.command(new Endpoints(1, 2, 3), Duration.ZERO))
        .contains("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
  }
}
