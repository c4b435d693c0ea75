package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.worker.monitor.WorkerStats;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnreachableHereTest {
  private static final Address HERE = new Address("172.17.0.2", 7099);

  private final ManualTime time = new ManualTime();
  private final WorkerStats stats = new WorkerStats();
  private final UnreachableHere unreachable =
      new UnreachableHere(time::monotonicNanos, stats::unreachable);

  @Test
  void worker_pauses_until_it_is_time_to_try_again_or_another_can_call_it() {
    assertThat(unreachable.pauses()).isFalse();
    unreachable.unreached("10.0.0.5:7099", HERE);
    assertThat(unreachable.pauses()).isTrue();
    time.advance(Duration.ofSeconds(5));
    assertThat(unreachable.pauses()).isFalse();

    unreachable.unreached("10.0.0.5:7099", HERE);
    unreachable.reached();
    assertThat(unreachable.pauses()).isFalse();
  }

  @Test
  void address_is_shown_until_another_worker_can_call_it() {
    assertThat(stats.unreachable()).isEmpty();

    unreachable.unreached("10.0.0.5:7099", HERE);
    time.advance(Duration.ofMinutes(2));
    assertThat(stats.unreachable()).isEqualTo("172.17.0.2:7099");

    unreachable.reached();
    assertThat(stats.unreachable()).isEmpty();
  }

  @Test
  void message_names_both_addresses_and_what_to_do() {
    assertThat(UnreachableHere.message("10.0.0.5:7099", HERE, 5_000))
        .isEqualTo(
            "the worker at 10.0.0.5:7099 cannot call this one at 172.17.0.2:7099: it takes no"
                + " ranks of others' HPC jobs for 5 s, then tries again, up to once a minute; open"
                + " that port to all workers of the cluster, or give an address that they reach as"
                + " --rmi-address");
  }
}
