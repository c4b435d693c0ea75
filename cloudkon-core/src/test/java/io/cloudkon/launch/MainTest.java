package io.cloudkon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

  @ParameterizedTest
  @CsvSource({"1.8, 8", "9, 9", "17, 17", "25, 25", "26, 26"})
  void feature_of_a_specification_version_is_its_major_number(String version, int feature) {
    assertThat(Main.feature(version)).isEqualTo(feature);
  }

  @ParameterizedTest
  @CsvSource({"1, 16", "2, 16", "16, 16", "64, 64"})
  void virtual_threads_have_more_carriers_than_a_small_machine_has_cores(int cores, int carriers) {
    assertThat(Main.carriers(cores)).isEqualTo(carriers);
  }

  @Test
  void program_on_two_cores_does_not_stand_still_where_virtual_threads_wait_for_a_class(
      @TempDir Path folder) throws Exception {
    Path manifest = Files.createDirectories(folder.resolve("META-INF")).resolve("MANIFEST.MF");
    Files.writeString(
        manifest,
        "Manifest-Version: 1.0\nCloudKon-Main: %s\n".formatted(ColdClasses.class.getName()));
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                Main.class.getName())
            .redirectErrorStream(true)
            .start();

    try (var out = program.inputReader()) {
      assertThat(out.readAllAsString()).isEqualTo("through\n");
    }
    assertThat(program.waitFor()).isZero();
  }

  @Test
  void too_old_message_is_one_line_that_names_both_versions_and_the_home() {
    assertThat(Main.tooOld("17", "/opt/jdk-17"))
        .startsWith("CloudKon needs Java 25 or newer; this is Java 17 (/opt/jdk-17).")
        .contains("JAVA_HOME")
        .doesNotContain("\n");
  }

  @Test
  void message_about_a_jar_without_its_neighbour_is_one_line_that_names_it() {
    assertThat(Main.incomplete("/tmp/cloudkon-worker.jar", "cloudkon-client.jar"))
        .contains("/tmp/cloudkon-worker.jar needs cloudkon-client.jar beside it")
        .doesNotContain("\n");
  }
}
