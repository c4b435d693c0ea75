package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackgroundEmulatorTest {
  @Test
  void emulator_in_the_background_has_the_same_folder_for_temporary_files() {
    BackgroundEmulator emulator = new BackgroundEmulator(new StateDirectory(Path.of("state")));
    assertThat(emulator.command(new Endpoints(1, 2, 3), Duration.ZERO))
        .contains("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
  }

  @Test
  void emulator_in_the_background_has_the_options_that_the_user_gives_to_the_jvm() {
    BackgroundEmulator emulator =
        new BackgroundEmulator(
            new StateDirectory(Path.of("state")),
            Map.of("JAVA_OPTS", " -Xmx1g  -Done=1 ", "CLOUDKON_JAVA_OPTS", "-Dtwo=2"));

    assertThat(emulator.command(new Endpoints(1, 2, 3), Duration.ZERO))
        .containsSubsequence("-Xmx1g", "-Done=1", "-Dtwo=2", "-jar", "--as-background")
        .doesNotContain("");
  }
}
