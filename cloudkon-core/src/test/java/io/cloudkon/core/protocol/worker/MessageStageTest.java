package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.MessageLease;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

/** A message of two tasks that was received at 0. */
class MessageStageTest {
  private final MessageStage message =
      new MessageStage(2, new MessageLease(LeaseSettings.DEFAULT, at(0)));

  private static Moment at(long millis) {
    return new Moment(millis, 3_000_000 + millis);
  }

  @Test
  void message_whose_tasks_are_all_settled_is_deleted() {
    assertThat(message.begin()).isZero();
    message.settle(at(10));
    assertThat(message.take()).isEmpty();

    assertThat(message.begin()).isEqualTo(1);
    message.settle(at(20));
    assertThat(message.take()).containsExactly(new BundleEffect.DeleteMessage());
    message.deleted();
    assertThat(message.take()).containsExactly(new BundleEffect.Close(Reason.COMPLETE));
  }

  @Test
  void message_is_put_back_until_the_earliest_time_of_a_task_that_is_left() {
    int first = message.begin();
    assertThat(first).isZero();
    message.leave(900, at(100));
    message.leaveHeld(300, at(200));
    message.settle(at(400));

    assertThat(message.take())
        .containsExactly(new BundleEffect.PutBack(100), new BundleEffect.Close(Reason.GIVEN_BACK));
    assertThat(message.is(MessagePhase.CLOSED)).isTrue();
  }

  @Test
  void message_is_hidden_for_another_lease_with_each_heartbeat_until_it_is_being_deleted() {
    LeaseSettings lease = LeaseSettings.DEFAULT;
    message.tick(at(lease.heartbeat()));
    assertThat(message.take()).containsExactly(new BundleEffect.ExtendVisibility(lease.lease()));

    message.skipHeld();
    message.settle(at(lease.heartbeat()));
    assertThat(message.take()).containsExactly(new BundleEffect.DeleteMessage());
    message.tick(at(2 * lease.heartbeat()));
    assertThat(message.take()).isEmpty();
  }

  @Test
  void message_that_another_worker_may_have_is_left_as_it_is() {
    assertThat(message.begin()).isZero();
    message.lost();
    message.settle(at(10));

    assertThat(message.take()).containsExactly(new BundleEffect.Close(Reason.LOST));
    assertThat(message.held()).isZero();
  }
}
