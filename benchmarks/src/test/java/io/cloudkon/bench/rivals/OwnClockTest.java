package io.cloudkon.bench.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.error.CloudKonException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnClockTest {
  private static final String LINE =
      "{\"version\": \"2.60.0\", \"tasks\": 500, \"seconds\": 2.25, \"warmUpSeconds\": 0.5}";
  private static final String REPORT =
      "{\"succeeded\":20000,\"makespanSeconds\":1.276,\"setUpSeconds\":0.1}\n";

  @Test
  void last_line_of_a_script_counts_and_its_warm_up_is_taken_off() {
    Measurement measured = OwnClock.ofScript("| a table |\n" + LINE + "\n", 500, 5);
    assertThat(measured.tasks()).isEqualTo(500);
    assertThat(measured.ownSeconds()).isEqualTo(2.25);
    assertThat(measured.wholeSeconds()).isEqualTo(4.5);
    assertThat(measured.version()).isEqualTo("2.60.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "done",
        "{\"version\": \"1\", \"tasks\": 499, \"seconds\": 2.25, \"warmUpSeconds\": 0.5}",
        "{\"tasks\": 500, \"seconds\": 2.25, \"warmUpSeconds\": 0.5}",
        "{\"version\": \"1\", \"tasks\": 500, \"seconds\": 0, \"warmUpSeconds\": 0.5}",
        "{\"version\": \"1\", \"tasks\": 500, \"seconds\": 2.25}",
        "{\"version\": \"1\", \"tasks\": 500, \"seconds\": 4.75, \"warmUpSeconds\": 0.5}",
        "[1, 2",
      })
  void any_other_line_is_refused(String line) {
    assertThatThrownBy(() -> OwnClock.ofScript(LINE + "\n" + line, 500, 5))
        .isInstanceOf(CloudKonException.class)
        .hasMessageStartingWith("it printed '" + line + "'; expected {\"version\"")
        .hasMessageContaining("\"tasks\": 500")
        .hasMessageEndingWith("within the 5.000 s that the script took");
  }

  @Test
  void script_that_prints_nothing_is_refused() {
    assertThatThrownBy(() -> OwnClock.ofScript("", 500, 5))
        .isInstanceOf(CloudKonException.class)
        .hasMessageStartingWith("it printed ''; expected");
  }

  @Test
  void clock_of_a_client_runs_from_its_first_submit() {
    Measurement measured = OwnClock.ofClient(REPORT, 20_000, 1.9);
    assertThat(Objects.requireNonNull(measured.ownSeconds())).isCloseTo(1.176, within(0.0001));
    assertThat(measured.wholeSeconds()).isEqualTo(1.9);
    assertThat(measured.version()).isNull();
  }

  @Test
  void client_with_fewer_successes_is_refused() {
    assertThatThrownBy(() -> OwnClock.ofClient(REPORT, 120_000, 1.9))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("expected 120000 tasks that succeeded");
    assertThatThrownBy(() -> OwnClock.ofClient("{\"succeeded\":1,\"makespanSeconds\":1}", 1, 1.9))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("setUpSeconds");
    assertThatThrownBy(() -> OwnClock.ofClient("all is well", 1, 1.9))
        .isInstanceOf(CloudKonException.class);
  }
}
