package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.HOUR;
import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a queue does to messages and calls when things go wrong. */
class SimQueueFaultsTest {
  private static final Odds THROTTLED = new Odds(1, 0, 0, 0);
  private static final Odds ANSWER_LOST = new Odds(0, 1, 0, 0);
  private static final Odds COPIED = new Odds(0, 0, 1, 0);
  private static final Odds LATE = new Odds(0, 0, 0, 1);

  private static Lab lab(FaultSettings faults) {
    return new Lab(Lab.instant().with(faults), 1);
  }

  private static Lab lab(Call call, Odds odds) {
    return lab(new FaultSettings(Map.of(call, odds), SECOND, 0, 0, 0, List.of(), Long.MAX_VALUE));
  }

  // ---- messages

  @Test
  void message_stored_twice_is_two_messages() {
    Lab lab = lab(Lab.faults(1, 0, 0));
    SimQueue<String> queue = lab.queue();
    lab.send(queue, "a").await();

    List<Delivery<String>> both = lab.receive(queue);

    assertThat(both).extracting(Delivery::body).containsExactly("a", "a");
    assertThat(both).extracting(Delivery::receives).containsExactly(1, 1);
    lab.delete(queue, both.subList(0, 1)).await();
    assertThat(queue.inFlight()).isEqualTo(1);
  }

  @Test
  void deleted_message_may_come_once_more_as_it_was() {
    Lab lab = lab(Lab.faults(0, 1, 0));
    SimQueue<String> queue = lab.queue();
    lab.send(queue, "a").await();
    lab.pass(SECOND);
    Delivery<String> mine = lab.receiveOne(queue, HOUR);

    assertThat(lab.delete(queue, List.of(mine)).get().refused().isEmpty()).isTrue();
    assertThat(queue.waiting() + queue.inFlight()).isZero();
    assertThat(queue.empty()).as("while it is to come again").isFalse();
    lab.pass(SECOND);

    Delivery<String> again = lab.receiveOne(queue, HOUR);
    assertThat(again.body()).isEqualTo("a");
    assertThat(again.sentAt()).isZero();
    assertThat(again.receives()).isEqualTo(2);
    assertThat(lab.watch.accepted).as("sent once").hasSize(1);
  }

  @Test
  void entries_of_a_batch_are_refused_one_by_one() {
    Lab lab = lab(Lab.faults(0, 0, 0.5));
    SimQueue<String> queue = lab.queue();
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      Sent sent = lab.send(queue, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9").get();
      assertThat(sent.missing()).isFalse();
      refused += sent.refused().cardinality();
    }
    assertThat(refused).isBetween(400, 600);
    assertThat(queue.waiting()).isEqualTo(1000 - refused);
    assertThat(lab.watch.accepted).hasSize(1000 - refused);

    List<Delivery<String>> received = lab.receive(queue);
    Sent deleted = lab.delete(queue, received).get();
    assertThat(deleted.refused().cardinality()).isBetween(1, 9);
    assertThat(queue.inFlight()).isEqualTo(deleted.refused().cardinality());
    lab.pass(2 * HOUR);
    assertThat(queue.waiting()).isEqualTo(1000 - refused - 10 + deleted.refused().cardinality());
  }

  // ---- calls

  @Test
  void throttled_send_stores_nothing() {
    Lab lab = lab(Call.REQUEST_SEND, THROTTLED);
    SimQueue<String> queue = lab.queue();

    assertThat(lab.send(queue, "a").await().failed()).isTrue();
    lab.pass(HOUR);

    assertThat(queue.empty()).isTrue();
  }

  @Test
  void send_whose_answer_is_lost_has_taken_place() {
    Lab lab = lab(Call.REQUEST_SEND, ANSWER_LOST);
    SimQueue<String> queue = lab.queue();

    assertThat(lab.send(queue, "a").await().failed()).isTrue();

    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void copied_send_takes_place_again_later() {
    Lab lab = lab(Call.REQUEST_SEND, COPIED);
    SimQueue<String> queue = lab.queue();

    assertThat(lab.send(queue, "a").await().failed()).isFalse();
    assertThat(queue.waiting()).isEqualTo(1);
    lab.pass(SECOND);

    assertThat(queue.waiting()).isEqualTo(2);
  }

  @Test
  void send_that_was_given_up_may_take_place_later() {
    Lab lab = lab(Call.REQUEST_SEND, LATE);
    SimQueue<String> queue = lab.queue();

    assertThat(lab.send(queue, "a").await().failed()).isTrue();
    assertThat(queue.waiting()).isZero();
    lab.pass(SECOND);

    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void throttled_receive_takes_nothing_and_does_not_wait() {
    Lab lab = lab(Call.REQUEST_RECEIVE, THROTTLED);
    SimQueue<String> queue = lab.queue();
    lab.send(queue, "a").await();

    assertThat(lab.receive(queue, 10, 20 * SECOND, HOUR).await().failed()).isTrue();

    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(lab.timeline.now()).isZero();
  }

  @Test
  void receive_whose_answer_is_lost_hides_its_messages_all_the_same() {
    Lab lab = lab(Call.REQUEST_RECEIVE, ANSWER_LOST);
    SimQueue<String> queue = lab.queue();
    lab.send(queue, "a").await();

    assertThat(lab.receive(queue, 10, 0, 5 * SECOND).await().failed()).isTrue();

    assertThat(queue.inFlight()).isEqualTo(1);
    lab.pass(5 * SECOND);
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void receive_that_waits_may_lose_its_answer_too() {
    Lab lab = lab(Call.REQUEST_RECEIVE, ANSWER_LOST);
    SimQueue<String> queue = lab.queue();
    Lab.Awaited<List<Delivery<String>>> waits = lab.receive(queue, 10, 20 * SECOND, 5 * SECOND);
    lab.pass(SECOND);
    assertThat(waits.there()).as("waits like any other").isFalse();

    lab.send(queue, "a").await();

    assertThat(waits.await().failed()).isTrue();
    assertThat(queue.inFlight()).isEqualTo(1);
    lab.pass(5 * SECOND);
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void receive_that_waits_when_an_outage_begins_gets_no_answer() {
    FaultSettings.Outage outage =
        new FaultSettings.Outage(SECOND, 2 * SECOND, EnumSet.of(Call.REQUEST_RECEIVE));
    Lab lab = lab(new FaultSettings(Map.of(), SECOND, 0, 0, 0, List.of(outage), Long.MAX_VALUE));
    SimQueue<String> queue = lab.queue();
    Lab.Awaited<List<Delivery<String>>> waits = lab.receive(queue, 10, 20 * SECOND, 5 * SECOND);
    lab.pass(SECOND);

    lab.send(queue, "a").await();

    assertThat(waits.await().failed()).isTrue();
    assertThat(queue.inFlight()).isEqualTo(1);
  }

  @Test
  void copied_delete_after_the_message_is_gone_changes_nothing() {
    Lab lab = lab(Call.REQUEST_DELETE, COPIED);
    SimQueue<String> queue = lab.queue();
    lab.send(queue, "a", "b").await();
    List<Delivery<String>> both = lab.receive(queue);

    lab.delete(queue, both.subList(0, 1)).await();
    lab.pass(SECOND);

    assertThat(queue.inFlight()).isEqualTo(1);
  }
}
