package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.HOUR;
import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ResultBatch;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much a queue holds and for how long, what it costs, and its end. */
class SimQueueLimitsTest {
  private static final int KIB = 1024;

  private final Lab lab = new Lab(Lab.instant().withInFlight(15).withRetentionMillis(60_000), 1);
  private final SimQueue<String> queue = lab.queue();

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      lab.send(queue, "message").await();
    }
  }

  // ---- in flight

  @Test
  void receive_takes_no_more_than_may_be_in_flight() {
    send(20);

    assertThat(lab.receive(queue)).hasSize(10);
    assertThat(lab.receive(queue)).hasSize(5);

    assertThat(queue.inFlight()).isEqualTo(15);
    assertThat(queue.waiting()).isEqualTo(5);
    assertThat(queue.overLimit()).isZero();
  }

  @Test
  void receive_with_as_many_in_flight_as_may_be_fails_until_one_is_deleted_or_shows() {
    send(20);
    List<Delivery<String>> first = lab.receive(queue);
    assertThat(lab.receive(queue)).hasSize(5);

    assertThat(lab.receive(queue, 10, 0, HOUR).await().failed()).isTrue();
    assertThat(lab.receive(queue, 10, 20 * SECOND, HOUR).await().failed()).isTrue();
    assertThat(queue.overLimit()).isEqualTo(2);

    lab.delete(queue, first.subList(0, 2)).await();
    assertThat(lab.receive(queue)).hasSize(2);
    assertThat(lab.hide(queue, first.get(2), 0)).isTrue();
    assertThat(lab.receive(queue)).hasSize(1);
  }

  @Test
  void receive_of_an_empty_queue_fails_for_no_limit() {
    send(15);
    assertThat(lab.receive(queue)).hasSize(10);
    assertThat(lab.receive(queue)).hasSize(5);

    assertThat(lab.receive(queue)).isEmpty();
    assertThat(queue.overLimit()).isZero();
  }

  @Test
  void long_poll_that_waits_when_the_limit_is_reached_fails_with_the_next_message() {
    send(15);
    lab.receive(queue);
    lab.receive(queue);
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);
    lab.settle();

    send(1);

    assertThat(poll.await().failed()).isTrue();
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void most_in_flight_and_most_waiting_are_remembered() {
    send(12);
    List<Delivery<String>> received = lab.receive(queue);
    lab.delete(queue, received).await();
    lab.delete(queue, lab.receive(queue)).await();

    assertThat(queue.empty()).isTrue();
    assertThat(queue.mostInFlight()).isEqualTo(10);
    assertThat(queue.mostWaiting()).isEqualTo(12);
  }

  // ---- retention

  @Test
  void message_is_kept_for_its_retention_and_not_longer() {
    send(1);
    lab.pass(60 * SECOND);
    assertThat(lab.receive(queue, 10, 0, SECOND).get()).hasSize(1);

    lab.pass(SECOND);

    assertThat(lab.receive(queue)).isEmpty();
    assertThat(queue.empty()).isTrue();
    assertThat(lab.watch.lost).containsExactly("message");
  }

  @Test
  void message_that_waited_for_longer_than_its_retention_is_not_received() {
    send(2);
    lab.pass(50 * SECOND);
    send(1);
    lab.pass(50 * SECOND);

    assertThat(lab.receive(queue)).hasSize(1);
    assertThat(lab.watch.lost).hasSize(2);
  }

  @Test
  void message_in_hand_may_be_deleted_after_its_retention() {
    send(1);
    Delivery<String> mine = lab.receiveOne(queue, HOUR);
    lab.pass(100 * SECOND);

    lab.delete(queue, List.of(mine)).await();

    assertThat(queue.empty()).isTrue();
    assertThat(lab.watch.lost).isEmpty();
  }

  // ---- what it costs

  @Test
  void send_is_billed_per_64_KiB_begun_of_its_batch() {
    lab.send(queue, 1 + " byte").await();
    assertThat(lab.counts.billed())
        .containsExactly(new ResultBatch.Calls("sqs.SendMessageBatch", 1, 1));

    lab.send(queue, 64 * KIB + " bytes").await();
    lab.send(queue, 64 * KIB + 1 + " bytes").await();
    lab.send(queue, 60 * KIB + " bytes", 60 * KIB + " bytes", 60 * KIB + " bytes").await();

    assertThat(lab.counts.billed())
        .containsExactly(new ResultBatch.Calls("sqs.SendMessageBatch", 4, 1 + 1 + 2 + 3));
    assertThat(lab.counts.of(Call.REQUEST_SEND)).isEqualTo(4);
  }

  @Test
  void receive_is_billed_per_64_KiB_begun_of_its_answer_and_at_least_once() {
    assertThat(lab.receive(queue)).isEmpty();
    lab.send(queue, Collections.nCopies(5, 40 * KIB + " bytes").toArray(String[]::new)).await();
    assertThat(lab.receive(queue)).hasSize(5);

    assertThat(lab.counts.billed()).contains(new ResultBatch.Calls("sqs.ReceiveMessage", 2, 1 + 4));
  }

  @Test
  void long_poll_is_one_call_however_long_it_waits() {
    lab.receive(queue, 10, 20 * SECOND, HOUR).await();

    assertThat(lab.counts.billed())
        .containsExactly(new ResultBatch.Calls("sqs.ReceiveMessage", 1, 1));
  }

  @Test
  void delete_of_a_batch_and_visibility_are_billed_once() {
    send(10);
    List<Delivery<String>> received = lab.receive(queue);
    assertThat(lab.hide(queue, received.getFirst(), SECOND)).isTrue();
    lab.delete(queue, received).await();

    assertThat(lab.counts.billed())
        .contains(
            new ResultBatch.Calls("sqs.DeleteMessageBatch", 1, 1),
            new ResultBatch.Calls("sqs.ChangeMessageVisibilityBatch", 1, 1));
    assertThat(lab.counts.all()).isEqualTo(10 + 1 + 1 + 1);
  }

  // ---- its end

  @Test
  void removed_queue_takes_nothing_and_gives_nothing() {
    send(2);
    List<Delivery<String>> received = lab.receive(queue, 1, 0, HOUR).get();

    queue.remove();

    assertThat(queue.removed()).isTrue();
    assertThat(lab.watch.lost).as("what went with it").hasSize(2);
    assertThat(lab.send(queue, "late").get().missing()).isTrue();
    assertThat(lab.watch.accepted).as("what it took").hasSize(2);
    assertThat(lab.receive(queue, 10, 20 * SECOND, HOUR).await().failed()).isTrue();
    assertThat(lab.delete(queue, received).get().missing()).isTrue();
    assertThat(lab.timeline.now()).as("none of them waits").isZero();
  }

  @Test
  void removal_fails_the_long_polls_that_wait() {
    Lab.Awaited<List<Delivery<String>>> poll = lab.receive(queue, 10, 20 * SECOND, HOUR);
    lab.pass(3 * SECOND);

    queue.remove();

    assertThat(poll.await().failed()).isTrue();
    assertThat(poll.at()).isEqualTo(3 * SECOND);
    lab.pass(30 * SECOND);
    assertThat(poll.there()).as("and answers them once").isTrue();
  }
}
