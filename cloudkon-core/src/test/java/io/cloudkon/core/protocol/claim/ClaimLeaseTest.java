package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect.Lost;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

/** How long the claim is mine. */
class ClaimLeaseTest {
  private final ClaimBench bench = ClaimBench.exactlyOnce().granted();

  ClaimLeaseTest() {
    bench.news.clear();
  }

  @Test
  void heartbeat_comes_every_third_of_the_lease() {
    bench.later(4_999).tick();
    assertThat(bench.calls).isEmpty();
    bench.later(1).tick();
    assertThat(bench.write().state()).isEqualTo(ClaimState.LEASED);
    assertThat(bench.write().leaseEnd()).isEqualTo(bench.now.service() + 15_000);
    bench.answer();
    bench.later(4_999).tick();
    assertThat(bench.calls).isEmpty();
    bench.later(1).tick();
    assertThat(bench.write().seq()).isEqualTo(2);
  }

  @Test
  void write_for_another_reason_is_a_heartbeat_too() {
    bench.later(3_000);
    bench.take(bench.machine.start(Positions.of(0), bench.now));
    bench.answer();
    bench.later(4_999).tick();
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void lease_counts_from_before_the_renewal_was_sent() {
    bench.later(5_000).tick();
    Moment sent = bench.now;
    bench.later(4_000).answer();
    assertThat(bench.machine.valid(sent.plus(12_999))).isTrue();
    assertThat(bench.machine.valid(sent.plus(13_000))).isFalse();
  }

  @Test
  void renewal_that_is_not_answered_prolongs_nothing() {
    bench.later(5_000).tick();
    bench.later(8_000).tick();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void renewal_whose_answer_was_lost_prolongs_nothing_by_itself() {
    bench.later(5_000).tick();
    bench.answerLost();
    bench.later(7_999);
    assertThat(bench.machine.valid(bench.now)).isTrue();
    bench.later(1).tick();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void lease_is_over_a_margin_before_its_end() {
    assertThat(bench.machine.valid(bench.now.plus(12_999))).isTrue();
    assertThat(bench.machine.valid(bench.now.plus(13_000))).isFalse();
  }

  @Test
  void lease_is_over_when_the_service_clock_says_so_though_the_machine_slept() {
    Moment woken = new Moment(bench.now.mono() + 10, bench.now.service() + 13_000);
    assertThat(bench.machine.valid(woken)).isFalse();
    bench.take(bench.machine.tick(woken));
    assertThat(bench.news).containsExactly(new Lost());
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void lease_is_over_when_the_monotonic_clock_says_so_though_the_service_clock_was_set_back() {
    Moment bent = new Moment(bench.now.mono() + 13_000, bench.now.service() - 60_000);
    assertThat(bench.machine.valid(bent)).isFalse();
    bench.take(bench.machine.tick(bent));
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void owner_of_a_lease_that_is_over_writes_nothing_more() {
    bench.later(13_000).tick();
    bench.later(5_000).tick();
    assertThat(bench.news).containsExactly(new Lost());
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void failed_renewal_is_not_tried_again_past_the_lease() {
    bench.later(5_000).tick();
    bench.later(8_000).failed();
    assertThat(bench.news).containsExactly(new Lost());
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void settling_ends_with_its_lease_too() {
    ClaimBench losing = ClaimBench.atMostOnce();
    losing.item = losing.others(ClaimState.LEASED, 0);
    losing.acquire();
    losing.answer();
    losing.answer();
    losing.news.clear();
    losing.later(13_000).tick();
    assertThat(losing.news).containsExactly(new Lost());
  }

  @Test
  void tick_without_change_does_nothing() {
    for (int i = 0; i < 49; i++) {
      bench.later(100).tick();
    }
    assertThat(bench.calls).isEmpty();
    assertThat(bench.news).isEmpty();
  }

  @Test
  void lease_defaults_are_15_5_and_2_seconds() {
    assertThat(LeaseSettings.DEFAULT).isEqualTo(new LeaseSettings(15_000, 5_000, 2_000));
  }

  @Test
  void lease_that_is_not_longer_than_heartbeat_and_margin_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeaseSettings(7_000, 5_000, 2_000))
        .withMessageContaining("lease 7000 ms");
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaseSettings(7_000, 0, 2_000));
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaseSettings(7_000, 10, -1));
  }
}
