package io.cloudkon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

  @ParameterizedTest
  @CsvSource({"1.8, 8", "9, 9", "17, 17", "25, 25", "26, 26"})
  void feature_of_a_specification_version_is_its_major_number(String version, int feature) {
    assertThat(Main.feature(version)).isEqualTo(feature);
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
