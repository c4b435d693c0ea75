package io.cloudkon.client.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.RunEntry;
import org.junit.jupiter.api.Test;

class RunStatusTest {
  private static final long WRITTEN = Clusters.run("r").updatedMillis();

  private static RunEntry run(long leaseEnd) {
    return Clusters.run("r", RunEntry.State.OPEN, leaseEnd, 100, 60, 40);
  }

  /** The clock of the client that let it go was ahead of the reader's. */
  @Test
  void run_that_was_let_go_is_detached_by_every_clock() {
    assertThat(RunStatus.of(run(WRITTEN), WRITTEN - 900)).isEqualTo(RunStatus.DETACHED);
    assertThat(RunStatus.of(run(WRITTEN), WRITTEN)).isEqualTo(RunStatus.DETACHED);
    assertThat(RunStatus.of(run(WRITTEN), WRITTEN + 60_000)).isEqualTo(RunStatus.DETACHED);
  }

  @Test
  void run_whose_lease_holds_is_collected_and_one_whose_lease_is_over_has_no_client() {
    assertThat(RunStatus.of(run(WRITTEN + 15_000), WRITTEN)).isEqualTo(RunStatus.COLLECTED);
    assertThat(RunStatus.of(run(WRITTEN + 15_000), WRITTEN + 15_000)).isEqualTo(RunStatus.GONE);
  }
}
