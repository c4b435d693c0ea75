package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.testing.ManualTime;
import org.junit.jupiter.api.Test;

class SharedLeaseTest {
  private final ManualTime time = new ManualTime();
  private boolean news;
  private final SharedLease lease =
      new SharedLease(
          LeaseMachine.held(LeaseSettings.DEFAULT, time.now(), time.now()), time, () -> news);

  @Test
  void lease_with_news_is_renewed_at_once() throws Exception {
    news = true;

    assertThat(lease.awaitNext(false).effect()).isInstanceOf(LeaseEffect.Write.class);
  }

  @Test
  void closed_lease_has_no_next_step_but_its_release() throws Exception {
    lease.close();

    assertThat(lease.awaitNext(false).effect()).isInstanceOf(LeaseEffect.Nothing.class);
    lease.tell(LeaseMachine::letGo);
    assertThat(lease.awaitNext(true).effect()).isEqualTo(new LeaseEffect.Write(0));
  }

  @Test
  void wait_for_a_lease_that_has_expired_ends_once_it_is_not_needed() throws Exception {
    assertThat(lease.awaitValid(() -> true)).isTrue();

    time.advanceMillis(LeaseSettings.DEFAULT.lease());

    assertThat(lease.awaitValid(() -> true)).isFalse();
  }

  @Test
  void lost_lease_never_holds_publishes_nothing_and_says_why() throws Exception {
    Throwable why = new IllegalStateException("taken over");
    lease.lose(why);

    assertThat(lease.awaitValid(() -> false)).isFalse();
    assertThat(lease.awaitPublished(() -> news = true)).isFalse();
    assertThat(lease.lost()).isSameAs(why);
  }
}
