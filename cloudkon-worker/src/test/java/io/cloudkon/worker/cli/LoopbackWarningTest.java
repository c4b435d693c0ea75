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
  private static GangConfig config(@Nullable String rmiAddress) {
    GangOptions options = new GangOptions();
    options.rmiAddress = rmiAddress;
    return options.config(
        new WorkerSettings(
            "w", 2, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));
  }

  @Test
  void worker_without_a_private_address_names_the_option() {
    assertThat(GangOptions.warning(config(null), "127.0.0.1", false))
        .hasValueSatisfying(warning -> assertThat(warning).contains("--rmi-address"));
  }

  @Test
  void nothing_is_said_where_others_can_call_it_or_need_not() {
    assertThat(GangOptions.warning(config(null), "10.0.0.1", false)).isEmpty();
    assertThat(GangOptions.warning(config(null), "127.0.0.1", true)).isEmpty();
    assertThat(GangOptions.warning(config("127.0.0.1"), "127.0.0.1", false)).isEmpty();
    assertThat(GangOptions.warning(null, "127.0.0.1", false)).isEmpty();
  }
}
