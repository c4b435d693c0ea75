package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.worker.gang.GangConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A worker that other machines cannot call says so at its start. */
class LoopbackWarningTest {
  private final GangOptions options = new GangOptions();

  /** The configuration of a worker that calls itself by this address; null means its own. */
  private GangConfig config(@Nullable String address) {
    GangConfig parsed =
        options.config(
            new WorkerSettings(
                "w", 2, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));
    return new GangConfig(parsed.settings(), address, parsed.rmiPort(), parsed.rmiTls());
  }

  @Test
  void worker_without_a_private_address_names_the_option() {
    assertThat(options.warning(config(null), () -> "127.0.0.1", false))
        .hasValueSatisfying(warning -> assertThat(warning).contains("--rmi-address"));
  }

  @Test
  void instance_without_a_usable_address_names_the_option() {
    GangConfig ofInstance = config("127.0.0.1");

    assertThat(options.warning(ofInstance, () -> "127.0.0.1", false)).isPresent();
    assertThat(options.warning(config("198.18.0.1"), () -> "127.0.0.1", false)).isEmpty();
  }

  @Test
  void nothing_is_said_where_others_can_call_it_or_need_not() {
    assertThat(options.warning(config(null), () -> "10.0.0.1", false)).isEmpty();
    assertThat(options.warning(config(null), () -> "127.0.0.1", true)).isEmpty();
    assertThat(options.warning(null, () -> "127.0.0.1", false)).isEmpty();
    options.rmiAddress = "127.0.0.1";
    assertThat(options.warning(config("127.0.0.1"), () -> "127.0.0.1", false)).isEmpty();
  }
}
