package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.idle.IdleSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a worker's lifetime is by default, and what its machine is told. */
class LifetimeConfigTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void defaults_are_a_minute_per_second_and_five_minutes() {
    assertThat(LifetimeConfig.DEFAULT_IDLE_TIMEOUT).isEqualTo(MINUTE);
    assertThat(LifetimeConfig.DEFAULT_BILLING_MINIMUM).isEqualTo(MINUTE);
    assertThat(LifetimeConfig.DEFAULT_BILLING_PERIOD).isEqualTo(SECOND);
    assertThat(LifetimeConfig.DEFAULT_RENEWAL_WINDOW).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void worker_for_ever_never_ends() {
    IdleSettings settings = settings(LifetimeConfig.FOR_EVER);

    assertThat(settings.idle()).isEqualTo(IdleSettings.NEVER);
    assertThat(settings.lifetime()).isEqualTo(IdleSettings.NEVER);
  }

  @Test
  void worker_of_a_script_looks_at_no_bill_and_keeps_no_minimum() {
    IdleSettings settings = settings(LifetimeConfig.exitWhenIdle(MINUTE));

    assertThat(settings)
        .isEqualTo(
            new IdleSettings(
                "w",
                60_000,
                0,
                1_000,
                300_000,
                IdleSettings.NEVER,
                true,
                false,
                LeaseSettings.DEFAULT,
                60_000));
  }

  @Test
  void worker_of_a_fleet_does_both_and_waits_longer_for_answers() {
    LifetimeConfig config =
        new LifetimeConfig(MINUTE, MINUTE, HOUR, MINUTE, HOUR.multipliedBy(8), true);

    assertThat(settings(config))
        .isEqualTo(
            new IdleSettings(
                "w",
                60_000,
                60_000,
                3_600_000,
                60_000,
                28_800_000,
                true,
                true,
                LeaseSettings.DEFAULT,
                300_000));
  }

  @Test
  void times_of_zero_are_refused() {
    assertThatThrownBy(() -> config(Duration.ZERO, MINUTE, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config(HOUR, Duration.ZERO, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config(HOUR, MINUTE, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static LifetimeConfig config(Duration period, Duration window, Duration lifetime) {
    return new LifetimeConfig(MINUTE, MINUTE, period, window, lifetime, true);
  }

  private static IdleSettings settings(LifetimeConfig config) {
    return config.settings("w", LeaseSettings.DEFAULT, true);
  }
}
