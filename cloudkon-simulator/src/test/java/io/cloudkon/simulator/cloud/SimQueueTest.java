package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.HOUR;
import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the ports' contracts leave open: moments, handles, and who is served when. */
class SimQueueTest {
  private final Lab lab = new Lab();
  private final SimQueue<String> queue = lab.queue();

  private static List<String> bodies(List<Delivery<String>> received) {
    return received.stream().map(Delivery::body).toList();
  }

  @Test
  void message_shows_again_when_its_visibility_ends_and_not_before() {
    lab.send(queue, "a").await();
    Delivery<String> first = lab.receiveOne(queue, 30 * SECOND);
    assertThat(queue.inFlight()).isEqualTo(1);

    lab.pass(30 * SECOND - 1);
    assertThat(queue.waiting()).isZero();
    lab.pass(1);
    assertThat(queue.waiting()).isEqualTo(1);

    Delivery<String> second = lab.receiveOne(queue, HOUR);
    assertThat(second.receives()).isEqualTo(2);
    assertThat(second.sentAt()).isEqualTo(first.sentAt());
  }

  @Test
  void extension_counts_from_its_own_moment() {
    lab.send(queue, "a").await();
    Delivery<String> mine = lab.receiveOne(queue, 15 * SECOND);
    lab.pass(10 * SECOND);

    assertThat(lab.hide(queue, mine, 15 * SECOND)).isTrue();

    lab.pass(15 * SECOND - 1);
    assertThat(queue.waiting()).isZero();
    lab.pass(1);
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void visibility_may_be_shortened() {
    lab.send(queue, "a").await();
    Delivery<String> mine = lab.receiveOne(queue, HOUR);

    assertThat(lab.hide(queue, mine, SECOND)).isTrue();
    lab.pass(SECOND);

    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(queue.inFlight()).isZero();
    lab.pass(2 * HOUR);
    assertThat(queue.waiting()).as("its former time says nothing any more").isEqualTo(1);
  }

  @Test
  void message_put_back_shows_at_once() {
    lab.send(queue, "a").await();
    Delivery<String> mine = lab.receiveOne(queue, HOUR);

    assertThat(lab.hide(queue, mine, 0)).isTrue();

    assertThat(queue.inFlight()).isZero();
    assertThat(lab.receiveOne(queue, HOUR).receives()).isEqualTo(2);
  }

  @Test
  void handle_of_an_earlier_receive_extends_nothing_and_puts_nothing_back() {
    lab.send(queue, "a").await();
    Delivery<String> former = lab.receiveOne(queue, SECOND);
    lab.pass(SECOND);
    Delivery<String> mine = lab.receiveOne(queue, 10 * SECOND);

    assertThat(lab.hide(queue, former, 0)).isTrue();
    assertThat(lab.hide(queue, former, HOUR)).isTrue();

    assertThat(queue.waiting()).isZero();
    lab.pass(10 * SECOND);
    assertThat(queue.waiting()).as("as my receive has it").isEqualTo(1);
    assertThat(mine.receives()).isEqualTo(2);
  }

  @Test
  void handle_whose_visibility_has_ended_extends_nothing() {
    lab.send(queue, "a").await();
    Delivery<String> late = lab.receiveOne(queue, SECOND);
    lab.pass(SECOND);

    assertThat(lab.hide(queue, late, HOUR)).isTrue();

    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(queue.inFlight()).isZero();
  }

  @Test
  void delete_with_the_handle_of_an_earlier_receive_may_do_nothing_or_delete() {
    int deleted = 0;
    for (int i = 0; i < 200; i++) {
      lab.send(queue, "a").await();
      Delivery<String> former = lab.receiveOne(queue, SECOND);
      lab.pass(SECOND);
      Delivery<String> mine = lab.receiveOne(queue, HOUR);

      assertThat(lab.delete(queue, List.of(former)).get().refused().isEmpty()).isTrue();
      deleted += 1 - queue.inFlight();

      assertThat(lab.delete(queue, List.of(mine)).get().refused().isEmpty()).isTrue();
      assertThat(queue.empty()).isTrue();
    }
    assertThat(deleted).isBetween(60, 140);
  }

  @Test
  void deleted_message_is_gone_and_deleting_it_again_changes_nothing() {
    lab.send(queue, "a", "b").await();
    List<Delivery<String>> both = lab.receive(queue);

    lab.delete(queue, both.subList(0, 1)).await();
    lab.delete(queue, both.subList(0, 1)).await();
    assertThat(queue.inFlight()).isEqualTo(1);
    lab.pass(2 * HOUR);

    assertThat(bodies(lab.receive(queue))).containsExactly(both.getLast().body());
  }

  @Test
  void no_visibility_ends_later_than_12_hours_after_its_receive() {
    lab.send(queue, "a").await();
    Delivery<String> mine = lab.receiveOne(queue, HOUR);
    for (int i = 0; i < 22; i++) {
      lab.pass(HOUR / 2);
      assertThat(lab.hide(queue, mine, HOUR)).isTrue();
    }
    assertThat(queue.waiting()).as("11 hours after its receive").isZero();

    lab.pass(HOUR / 2);
    assertThat(lab.hide(queue, mine, HOUR)).as("is no failure").isTrue();
    lab.pass(HOUR / 2);

    assertThat(queue.waiting()).isEqualTo(1);
    Delivery<String> again = lab.receiveOne(queue, HOUR);
    lab.pass(HOUR / 2);
    assertThat(lab.hide(queue, again, HOUR)).isTrue();
    lab.pass(HOUR / 2);
    assertThat(queue.waiting()).as("a new receive may extend anew").isZero();
  }

  // ---- long polls

  @Test
  void long_poll_is_answered_by_a_later_send() {
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);
    lab.pass(7 * SECOND);
    assertThat(poll.there()).isFalse();

    lab.send(queue, "a").await();
    lab.settle();

    assertThat(poll.at()).isEqualTo(7 * SECOND);
    assertThat(bodies(poll.get())).containsExactly("a");
  }

  @Test
  void long_poll_is_answered_by_a_message_that_shows_again() {
    lab.send(queue, "a").await();
    Delivery<String> unused = lab.receiveOne(queue, 5 * SECOND);
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);

    lab.pass(10 * SECOND);

    assertThat(poll.there()).isTrue();
    assertThat(poll.at()).isEqualTo(5 * SECOND);
    assertThat(poll.get().getFirst().receives()).isEqualTo(2);
  }

  @Test
  void long_poll_is_answered_by_a_message_that_is_put_back() {
    lab.send(queue, "a").await();
    Delivery<String> mine = lab.receiveOne(queue, HOUR);
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);
    lab.pass(3 * SECOND);

    assertThat(lab.hide(queue, mine, 0)).isTrue();
    lab.settle();

    assertThat(poll.at()).isEqualTo(3 * SECOND);
    assertThat(bodies(poll.get())).containsExactly("a");
  }

  @Test
  void long_poll_with_nothing_to_come_is_empty_after_its_time() {
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);

    assertThat(poll.get()).isEmpty();
    assertThat(poll.at()).isEqualTo(20 * SECOND);
    lab.send(queue, "a").await();
    assertThat(queue.waiting()).as("nobody waits any more").isEqualTo(1);
  }

  @Test
  void long_polls_are_served_one_message_after_the_other_in_the_order_of_their_coming() {
    List<Lab.Awaited<List<Delivery<String>>>> polls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      polls.add(lab.receive(queue, 10, 20 * SECOND, HOUR));
      lab.settle();
    }

    lab.send(queue, "a", "b").await();
    lab.settle();

    assertThat(bodies(polls.get(0).get())).containsExactly("a");
    assertThat(bodies(polls.get(1).get())).containsExactly("b");
    assertThat(polls.get(2).there()).isFalse();
  }

  @Test
  void long_poll_of_a_dead_process_takes_nothing_away() {
    SimProcess dead = lab.process("dead");
    Lab.Awaited<List<Delivery<String>>> never = lab.new Awaited<>();
    queue.receive(dead, 10, 20 * SECOND, HOUR, never);
    lab.pass(SECOND);
    dead.die();
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);
    lab.settle();

    lab.send(queue, "a").await();
    lab.pass(30 * SECOND);

    assertThat(bodies(poll.get())).containsExactly("a");
    assertThat(never.there()).isFalse();
  }

  @Test
  void long_poll_of_a_stopped_process_takes_messages_that_it_sees_later() {
    SimProcess stopped = lab.process("stopped");
    Lab.Awaited<List<Delivery<String>>> poll = lab.new Awaited<>();
    queue.receive(stopped, 10, 20 * SECOND, HOUR, poll);
    lab.pass(SECOND);
    stopped.pause(9_000, false);

    lab.send(queue, "a").await();
    lab.settle();
    assertThat(queue.inFlight()).isEqualTo(1);
    assertThat(poll.there()).isFalse();
    lab.pass(9 * SECOND);

    assertThat(bodies(poll.get())).containsExactly("a");
  }
}
