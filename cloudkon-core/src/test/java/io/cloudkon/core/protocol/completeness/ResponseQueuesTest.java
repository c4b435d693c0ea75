package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseQueuesTest {
  private static final long LEASE = LeaseSettings.DEFAULT.lease();
  private static final long HEARTBEAT = LeaseSettings.DEFAULT.heartbeat();
  private static final long WAIT = 1_000;

  private final ResponseQueues queues = new ResponseQueues(LeaseSettings.DEFAULT, "a");

  @Test
  void missing_current_queue_is_believed_after_a_heartbeat_not_at_once() {
    assertThat(queues.missing("a", at(0))).isFalse();
    assertThat(queues.missing("a", at(HEARTBEAT - 1))).isFalse();
    assertThat(queues.missing("a", at(HEARTBEAT))).isTrue();
  }

  @Test
  void answer_in_between_begins_the_count_anew() {
    assertThat(queues.missing("a", at(0))).isFalse();
    queues.answered("a", 0, at(1_000), WAIT, at(2_000));

    assertThat(queues.missing("a", at(HEARTBEAT))).isFalse();
    assertThat(queues.missing("a", at(2 * HEARTBEAT))).isTrue();
  }

  @Test
  void two_answers_a_lease_apart_say_nothing_of_the_time_between_them() {
    assertThat(queues.missing("a", at(0))).isFalse();
    assertThat(queues.missing("a", at(LEASE))).isFalse();
    assertThat(queues.missing("a", at(LEASE + HEARTBEAT))).isTrue();
  }

  @Test
  void suspended_machine_has_not_seen_that_the_queue_stayed_away() {
    assertThat(queues.missing("a", at(0))).isFalse();
    assertThat(queues.missing("a", new Moment(HEARTBEAT, 3_600_000))).isFalse();
  }

  @Test
  void former_queue_is_read_until_it_was_missing_for_four_leases() {
    moveToB();

    assertThat(queues.current()).isEqualTo("b");
    assertThat(missingFor("a", HEARTBEAT, 4 * LEASE - 1_000)).isFalse();
    assertThat(queues.former()).containsExactly("a");
    assertThat(queues.missing("a", at(4 * LEASE))).isTrue();
    assertThat(queues.former()).isEmpty();
  }

  @Test
  void former_queue_that_comes_back_is_read_on() {
    moveToB();
    assertThat(missingFor("a", HEARTBEAT, 4 * LEASE - 1_000)).isFalse();
    queues.answered("a", 3, at(4 * LEASE - 900), WAIT, at(4 * LEASE - 500));

    assertThat(missingFor("a", 4 * LEASE, 8 * LEASE - 1)).isFalse();
    assertThat(queues.former()).containsExactly("a");
  }

  @Test
  void nothing_is_quiet_while_a_former_queue_is_missing_and_for_its_grace_after_it() {
    assertThat(queues.quiet(LEASE, at(0))).isTrue();
    moveToB();
    assertThat(queues.quiet(0, at(HEARTBEAT))).isFalse();

    emptyFrom(10_000, 24_000);
    assertThat(queues.quiet(LEASE, at(24_000))).isFalse();
    emptyFrom(24_000, 25_000);
    assertThat(queues.quiet(LEASE, at(25_000))).isTrue();
    queues.failed("a", at(25_500));
    assertThat(queues.quiet(LEASE, at(25_500))).isFalse();
  }

  @Test
  void several_former_queues_that_are_read_by_turns_can_be_quiet_together() {
    moveToB();
    queues.alsoRead("0");
    for (long millis = 10_000; millis < 40_000; millis += 4_000) {
      queues.answered("a", 0, at(millis), WAIT, at(millis + 2_000));
      queues.answered("0", 0, at(millis + 2_000), WAIT, at(millis + 4_000));
    }

    assertThat(queues.quiet(LEASE, at(42_000))).isTrue();
    assertThat(queues.quiet(LEASE, at(60_000))).isFalse();
  }

  @Test
  void queue_that_is_gone_holds_nothing_up() {
    moveToB();
    assertThat(missingFor("a", HEARTBEAT, 4 * LEASE)).isTrue();

    assertThat(queues.quiet(LEASE, at(4 * LEASE))).isTrue();
  }

  @Test
  void receive_during_which_the_process_was_stopped_has_not_seen_what_came_meanwhile() {
    moveToB();

    queues.answered("a", 0, at(10_000), WAIT, at(60_000));

    assertThat(queues.quiet(LEASE, at(60_000))).isFalse();
  }

  @Test
  void queue_that_a_former_client_has_left_is_read_once() {
    queues.alsoRead("0");
    queues.alsoRead("a");
    queues.alsoRead("0");
    assertThat(queues.former()).isEqualTo(List.of("0"));

    queues.moved("b");
    assertThat(queues.former()).isEqualTo(List.of("0", "a"));
  }

  @Test
  void move_that_has_begun_is_to_be_finished_though_the_current_queue_answers_again() {
    assertThat(missingFor("a", 0, HEARTBEAT)).isTrue();
    queues.moving("b");
    queues.answered("a", 3, at(HEARTBEAT), WAIT, at(HEARTBEAT + 1_000));

    assertThat(queues.next()).contains("b");
    assertThat(queues.current()).isEqualTo("a");

    queues.moved("b");
    assertThat(queues.next()).isEmpty();
    assertThat(queues.current()).isEqualTo("b");
    assertThat(queues.former()).containsExactly("a");
  }

  @Test
  void queue_of_a_move_that_has_begun_is_read_and_holds_up_what_is_lost() {
    queues.moving("b");

    assertThat(queues.former()).containsExactly("b");
    assertThat(queues.quiet(0, at(1_000))).isFalse();
    assertThat(missingFor("b", 0, 8 * LEASE)).isFalse();
    assertThat(queues.former()).containsExactly("b");
  }

  @Test
  void queue_that_was_looked_for_before_it_was_made_is_not_given_up_at_once() {
    queues.moving("b");
    assertThat(missingFor("b", 0, HEARTBEAT)).isFalse();
    queues.moved("b");

    assertThat(queues.missing("b", at(HEARTBEAT + 1_000))).isFalse();
  }

  private void moveToB() {
    assertThat(missingFor("a", 0, HEARTBEAT)).isTrue();
    queues.moving("b");
    queues.moved("b");
  }

  /** Asks for it every second; gives the last verdict. */
  private boolean missingFor(String queue, long from, long to) {
    boolean believed = false;
    for (long millis = from; millis <= to; millis += 1_000) {
      believed = queues.missing(queue, at(millis));
    }
    return believed;
  }

  private void emptyFrom(long from, long to) {
    for (long millis = from; millis < to; millis += 1_000) {
      queues.answered("a", 0, at(millis), WAIT, at(millis + 1_000));
    }
  }

  private static Moment at(long millis) {
    return new Moment(millis, millis);
  }
}
