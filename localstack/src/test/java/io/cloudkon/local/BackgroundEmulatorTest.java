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

  @Test
  void emulator_in_the_background_has_no_options_that_only_one_jvm_can_have() {
    String agents =
        "-agentlib:jdwp=transport=dt_socket,server=y,address=5005 -agentpath:/a.so -javaagent:b.jar"
            + " -Xrunjdwp:server=y";
    String others =
        "-Dcom.sun.management.jmxremote -Dcom.sun.management.jmxremote.port=9010"
            + " -XX:StartFlightRecording=filename=c.jfr -XX:StartFlightRecording -Xmx1g";
    BackgroundEmulator emulator =
        new BackgroundEmulator(
            new StateDirectory(Path.of("state")),
            Map.of("JAVA_OPTS", agents, "CLOUDKON_JAVA_OPTS", others));

    assertThat(emulator.command(new Endpoints(1, 2, 3), Duration.ZERO))
        .contains("-Xmx1g")
        .noneMatch(word -> word.matches(".*(agent|jdwp|management|FlightRecording).*"));
  }
}
