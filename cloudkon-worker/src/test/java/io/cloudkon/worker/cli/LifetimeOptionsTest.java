package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import io.cloudkon.worker.lifetime.WorkerOrigins;
import io.cloudkon.worker.service.WorkerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What the options say about a worker's end. */
class LifetimeOptionsTest {
  private static final Map<String, String> LAUNCHED = Map.of("CLOUDKON_LAUNCH", "token-1");
  private static final LifetimeConfig OF_FLEET =
      new LifetimeConfig(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          null,
          true);

  private static WorkerConfig config(Map<String, String> environment, String... options) {
    List<String> all = new ArrayList<>(List.of("-s", "Q"));
    all.addAll(List.of(options));
    WorkerCommand command = new WorkerCommand();
    new CommandLine(command).parseArgs(all.toArray(String[]::new));
    return command.config(WorkerOrigins.fromEnvironment(environment), true);
  }

  private static LifetimeConfig byHand(String... options) {
    return config(Map.of(), options).lifetime();
  }

  private static LifetimeConfig launched(String... options) {
    return config(LAUNCHED, options).lifetime();
  }

  @Test
  void worker_that_was_started_by_hand_stays_for_ever() {
    assertThat(byHand()).isEqualTo(LifetimeConfig.FOR_EVER);
  }

  @Test
  void bill_of_a_worker_whose_origin_is_not_known_yet_is_no_mistake() {
    WorkerCommand command = new WorkerCommand();
    new CommandLine(command).parseArgs("-s", "Q", "--billing-minimum", "0s");

    assertThat(command.config(WorkerOrigin.BY_HAND, false).lifetime())
        .isEqualTo(LifetimeConfig.FOR_EVER);
    assertThat(command.config(new WorkerOrigin("token-1", "i-1", "", ""), true).lifetime())
        .extracting(LifetimeConfig::billingMinimum, LifetimeConfig::keepsMinimum)
        .containsExactly(Duration.ZERO, true);
  }

  @Test
  void worker_that_was_launched_ends_itself() {
    assertThat(launched()).isEqualTo(OF_FLEET);
    assertThat(config(LAUNCHED).origin()).isEqualTo(new WorkerOrigin("token-1", "", "", ""));
  }

  @Test
  void idle_timeout_makes_any_worker_one_of_a_fleet() {
    assertThat(byHand("--idle-timeout", "60s")).isEqualTo(OF_FLEET);
    assertThat(byHand("--idle-timeout", "2m").idleTimeout()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void exit_when_idle_is_for_scripts_wherever_the_worker_comes_from() {
    LifetimeConfig script = LifetimeConfig.exitWhenIdle(Duration.ofSeconds(30));

    assertThat(byHand("--exit-when-idle", "30s")).isEqualTo(script);
    assertThat(launched("--exit-when-idle", "30s")).isEqualTo(script);
  }

  @Test
  void bill_by_the_hour_is_taken_with_its_window() {
    LifetimeConfig hourly = launched("--billing-period=1h", "--billing-minimum=10m");
    assertThat(hourly.billingPeriod()).isEqualTo(Duration.ofHours(1));
    assertThat(hourly.billingMinimum()).isEqualTo(Duration.ofMinutes(10));
    assertThat(hourly.renewalWindow()).isEqualTo(Duration.ofMinutes(5));

    assertThat(launched("--billing-period=1h", "--renewal-window=90s").renewalWindow())
        .isEqualTo(Duration.ofSeconds(90));
    assertThat(launched("--billing-period=1m").renewalWindow()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void every_worker_may_have_a_longest_life() {
    Duration hours = Duration.ofHours(8);

    assertThat(byHand("--max-lifetime=8h").maxLifetime()).isEqualTo(hours);
    assertThat(launched("--max-lifetime=8h").maxLifetime()).isEqualTo(hours);
    assertThat(byHand("--max-lifetime=8h", "--exit-when-idle=1s").maxLifetime()).isEqualTo(hours);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--idle-timeout", "--max-lifetime", "--billing-period", "--renewal-window"})
  void time_of_zero_is_refused(String option) {
    assertThatThrownBy(() -> launched(option, "0"))
        .isInstanceOf(UsageException.class)
        .hasMessage(option + " 0: expected a time above 0, such as 60s");
  }

  @ParameterizedTest
  @CsvSource({"--billing-minimum, 1m", "--billing-period, 1h", "--renewal-window, 5m"})
  void bill_of_a_worker_that_does_not_look_at_it_is_refused(String option, String value) {
    assertThatThrownBy(() -> byHand(option, value))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "%s %s: give --idle-timeout too: this worker does not end when it is idle",
            option, value);
    assertThatThrownBy(() -> launched(option, value, "--exit-when-idle", "1s"))
        .isInstanceOf(UsageException.class)
        .hasMessage("%s %s: --exit-when-idle does not consider the bill", option, value);
  }

  @Test
  void window_must_fit_into_its_period() {
    assertThatThrownBy(() -> launched("--renewal-window=5m"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("expected a --billing-period longer than 1s as well");
    assertThatThrownBy(() -> launched("--renewal-window=2h", "--billing-period=1h"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--renewal-window 2h: expected at most the --billing-period, 1h");
  }

  @Test
  void script_and_fleet_do_not_go_together() {
    assertThatThrownBy(() -> byHand("--exit-when-idle=1s", "--idle-timeout=1s"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--exit-when-idle cannot be combined with --idle-timeout");
  }

  @Test
  void time_without_a_unit_is_refused() {
    assertThatThrownBy(() -> byHand("--idle-timeout", "60"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'60' is not a duration");
  }
}
