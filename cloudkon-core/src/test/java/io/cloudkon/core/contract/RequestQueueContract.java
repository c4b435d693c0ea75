package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Messages.LONG;
import static io.cloudkon.core.contract.Messages.message;
import static io.cloudkon.core.contract.Messages.receiveOne;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link RequestQueue} does. */
public abstract class RequestQueueContract extends PortContract {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private RequestQueue queue() {
    return cluster().requests();
  }

  private ReceivedMessage sendAndReceive(OutgoingMessage sent, Duration visibility) {
    assertThat(queue().send(List.of(sent))).isEmpty();
    return receiveOne(queue()::receive, visibility);
  }

  private List<ReceivedMessage> receiveNow() throws InterruptedException {
    return queue().receive(10, Duration.ZERO, LONG);
  }

  @Test
  void name_is_the_clusters() {
    assertThat(queue().name()).isEqualTo(cluster().name());
  }

  @Test
  void sent_message_arrives_with_its_attributes_and_any_bytes() {
    byte[] payload = new byte[512];
    IntStream.range(0, payload.length).forEach(i -> payload[i] = (byte) i);
    Map<String, String> attributes =
        Map.of(
            OutgoingMessage.RUN,
            "run_1",
            OutgoingMessage.BUNDLE,
            "run_1/epoch/12/3/0",
            OutgoingMessage.RESPONSE_QUEUE,
            "Q-response-c",
            "reason",
            "Zürich: <a> & \"b\" \u2603");

    ReceivedMessage received = sendAndReceive(new OutgoingMessage(attributes, payload), LONG);

    assertThat(received.payload()).isEqualTo(payload);
    assertThat(received.attributes()).isEqualTo(attributes);
    assertThat(received.receives()).isEqualTo(1);
    assertThat(received.handle()).isNotEmpty();
  }

  @Test
  void message_without_attributes_arrives_without() {
    ReceivedMessage received = sendAndReceive(new OutgoingMessage(Map.of(), new byte[] {7}), LONG);

    assertThat(received.attributes()).isEmpty();
    assertThat(received.payload()).containsExactly(7);
  }

  @Test
  void messages_of_one_group_do_not_wait_for_each_other() {
    List<OutgoingMessage> batch =
        IntStream.range(0, 4)
            .mapToObj(i -> new OutgoingMessage(Map.of(), new byte[] {(byte) i}, "0123456789ab"))
            .toList();

    assertThat(queue().send(batch)).isEmpty();

    // None is deleted: a queue that kept a group in order would deliver only the first.
    assertThat(Messages.receive(queue()::receive, 4, LONG))
        .extracting(message -> message.payload()[0])
        .containsExactlyInAnyOrder((byte) 0, (byte) 1, (byte) 2, (byte) 3);
  }

  @Test
  void group_of_128_characters_is_taken_and_changes_nothing_in_the_message() {
    String group = "aZ0-_".repeat(26).substring(0, 128);

    ReceivedMessage received =
        sendAndReceive(new OutgoingMessage(Map.of("run", "r"), new byte[] {7}, group), LONG);

    assertThat(received.attributes()).isEqualTo(Map.of("run", "r"));
    assertThat(received.payload()).containsExactly(7);
  }

  @Test
  void empty_payload_arrives_empty() {
    assertThat(sendAndReceive(message(new byte[0]), LONG).payload()).isEmpty();
  }

  @Test
  void payload_of_200_KiB_arrives_whole() {
    byte[] payload = new byte[200 * 1024];
    new SplittableRandom(1).nextBytes(payload);

    assertThat(sendAndReceive(message(payload), LONG).payload()).isEqualTo(payload);
  }

  @Test
  void batch_of_ten_arrives_whole() {
    List<String> texts = IntStream.range(0, 10).mapToObj(i -> "message " + i).toList();

    assertThat(queue().send(texts.stream().map(Messages::message).toList())).isEmpty();

    assertThat(Messages.receive(queue()::receive, 10, LONG))
        .extracting(Messages::text)
        .containsExactlyInAnyOrderElementsOf(texts);
  }

  /** A batch of three whose size, as SQS counts it, is so many bytes. */
  private static List<OutgoingMessage> batchOf(int bytes) {
    OutgoingMessage third = message(new byte[bytes / 3]);
    int rest = bytes - 2 * third.countedBytes() - message(new byte[0]).countedBytes();
    return List.of(third, third, message(new byte[rest]));
  }

  @Test
  void batch_as_large_as_a_call_may_be_arrives_whole() {
    assertThat(queue().send(batchOf(Limits.MESSAGE_BYTES))).isEmpty();

    assertThat(Messages.receive(queue()::receive, 3, LONG)).hasSize(3);
  }

  /** Whether the queue counts the bytes of a batch, as SQS does. */
  protected boolean refusesLargeBatches() {
    return true;
  }

  @Test
  void batch_of_one_byte_more_is_refused_whole() throws InterruptedException {
    assumeTrue(refusesLargeBatches(), "this queue counts no bytes");
    assertThatThrownBy(() -> queue().send(batchOf(Limits.MESSAGE_BYTES + 1)))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining(queue().name());

    assertThat(receiveNow()).isEmpty();
  }

  @Test
  void receive_with_a_max_gives_no_more() throws InterruptedException {
    assertThat(queue().send(IntStream.range(0, 10).mapToObj(i -> message("m" + i)).toList()))
        .isEmpty();

    assertThat(queue().receive(3, Duration.ZERO, LONG)).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void received_message_is_hidden_from_others() throws InterruptedException {
    ReceivedMessage unused = sendAndReceive(message("hidden"), LONG);

    assertThat(receiveNow()).isEmpty();
  }

  @Test
  void message_comes_again_when_its_visibility_ends() {
    ReceivedMessage first = sendAndReceive(message("again"), SECOND);
    fixture().advance(SECOND);

    ReceivedMessage second = receiveOne(queue()::receive, LONG);

    assertThat(second.payload()).isEqualTo(first.payload());
    assertThat(second.attributes()).isEqualTo(first.attributes());
    assertThat(second.sentMillis()).isEqualTo(first.sentMillis());
    assertThat(second.handle()).isNotEqualTo(first.handle());
    assertThat(second.receives()).isEqualTo(2);
  }

  @Test
  void deleted_message_never_comes_again() throws InterruptedException {
    ReceivedMessage received = sendAndReceive(message("deleted"), SECOND);

    assertThat(queue().delete(List.of(received.handle()))).isEmpty();
    fixture().advance(SECOND.multipliedBy(2));

    assertThat(receiveNow()).isEmpty();
  }

  @Test
  void batch_of_ten_is_deleted_in_one_call() {
    assertThat(queue().send(IntStream.range(0, 10).mapToObj(i -> message("m" + i)).toList()))
        .isEmpty();
    List<ReceivedMessage> received = Messages.receive(queue()::receive, 10, LONG);

    assertThat(queue().delete(received.stream().map(ReceivedMessage::handle).toList())).isEmpty();

    await().until(() -> queue().depth().equals(new QueueDepth(0, 0, 0)));
  }

  @Test
  void delete_again_is_no_failure() {
    ReceivedMessage received = sendAndReceive(message("deleted"), LONG);

    assertThat(queue().delete(List.of(received.handle()))).isEmpty();
    assertThat(queue().delete(List.of(received.handle()))).isEmpty();
  }

  @Test
  void delete_with_an_outdated_handle_is_no_failure_and_leaves_the_current_one_valid() {
    ReceivedMessage first = sendAndReceive(message("twice"), SECOND);
    fixture().advance(SECOND);
    ReceivedMessage second = receiveOne(queue()::receive, LONG);

    assertThat(queue().delete(List.of(first.handle()))).isEmpty();
    assertThat(queue().delete(List.of(second.handle()))).isEmpty();

    await().until(() -> queue().depth().equals(new QueueDepth(0, 0, 0)));
  }

  @Test
  void visibility_with_an_outdated_handle_is_no_failure() {
    ReceivedMessage first = sendAndReceive(message("twice"), SECOND);
    fixture().advance(SECOND);
    ReceivedMessage second = receiveOne(queue()::receive, LONG);

    assertThatCode(() -> queue().changeVisibility(first.handle(), LONG)).doesNotThrowAnyException();
    assertThat(queue().delete(List.of(second.handle()))).isEmpty();
    assertThatCode(() -> queue().changeVisibility(second.handle(), Duration.ZERO))
        .doesNotThrowAnyException();
  }

  @Test
  void visibility_after_it_ended_is_no_failure() {
    ReceivedMessage received = sendAndReceive(message("late"), SECOND);
    fixture().advance(SECOND.multipliedBy(2));

    assertThatCode(() -> queue().changeVisibility(received.handle(), LONG))
        .doesNotThrowAnyException();
  }

  @Test
  void visibility_zero_shows_a_message_at_once() {
    ReceivedMessage first = sendAndReceive(message("back"), LONG);

    queue().changeVisibility(first.handle(), Duration.ZERO);

    ReceivedMessage second = receiveOne(queue()::receive, LONG);
    assertThat(second.payload()).isEqualTo(first.payload());
    assertThat(second.receives()).isEqualTo(2);
  }

  @Test
  void visibility_extended_hides_a_message_longer() throws InterruptedException {
    ReceivedMessage received = sendAndReceive(message("mine"), Duration.ofSeconds(3));

    queue().changeVisibility(received.handle(), LONG);
    fixture().advance(Duration.ofSeconds(4));

    assertThat(receiveNow()).isEmpty();
    assertThat(queue().delete(List.of(received.handle()))).isEmpty();
  }

  @Test
  void visibility_of_ten_messages_is_changed_in_one_call_each_as_it_says() {
    assertThat(queue().send(IntStream.range(0, 10).mapToObj(i -> message("m" + i)).toList()))
        .isEmpty();
    List<ReceivedMessage> received = Messages.receive(queue()::receive, 10, LONG);

    List<BatchFailure> failed =
        queue()
            .changeVisibilities(
                received.stream()
                    .map(each ->
                        new VisibilityChange(
                            each.handle(), Messages.text(each).equals("m7") ? LONG : Duration.ZERO))
                    .toList());

    assertThat(failed).isEmpty();
    assertThat(Messages.receive(queue()::receive, 9, LONG))
        .extracting(Messages::text)
        .doesNotContain("m7");
    await().until(() -> queue().depth().equals(new QueueDepth(0, 10, 0)));
  }

  @Test
  void visibilities_with_an_outdated_handle_are_no_failure_and_change_the_others() {
    ReceivedMessage gone = sendAndReceive(message("gone"), LONG);
    assertThat(queue().delete(List.of(gone.handle()))).isEmpty();
    ReceivedMessage here = sendAndReceive(message("here"), LONG);

    assertThat(
            queue()
                .changeVisibilities(
                    List.of(
                        new VisibilityChange(gone.handle(), LONG),
                        new VisibilityChange(here.handle(), Duration.ZERO))))
        .isEmpty();

    assertThat(Messages.text(receiveOne(queue()::receive, LONG))).isEqualTo("here");
  }

  @Test
  void receive_on_an_empty_queue_returns_nothing_after_its_wait() {
    var receive = Messages.start(queue()::receive, SECOND);

    assertThat(Messages.result(receive, fixture())).isEmpty();
  }

  @Test
  void receive_that_waits_gets_a_message_that_comes() {
    var receive = Messages.start(queue()::receive, Duration.ofSeconds(20));

    assertThat(queue().send(List.of(message("awaited")))).isEmpty();

    await().atMost(Duration.ofSeconds(30)).until(receive::isDone);
    assertThat(receive.resultNow()).extracting(Messages::text).containsExactly("awaited");
  }

  @Test
  void receive_that_waits_gets_a_message_that_is_put_back() {
    ReceivedMessage received = sendAndReceive(message("back"), LONG);
    var receive = Messages.start(queue()::receive, Duration.ofSeconds(20));

    queue().changeVisibility(received.handle(), Duration.ZERO);

    await().atMost(Duration.ofSeconds(30)).until(receive::isDone);
    assertThat(receive.resultNow()).extracting(Messages::text).containsExactly("back");
  }

  @Test
  void receive_that_is_interrupted_ends_by_InterruptedException() {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread receiver =
        Thread.ofVirtual()
            .start(() -> {
              try {
                List<ReceivedMessage> unused = queue().receive(1, Duration.ofSeconds(20), LONG);
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    await()
        .until(() ->
            receiver.getState() == Thread.State.TIMED_WAITING
                || receiver.getState() == Thread.State.WAITING);

    receiver.interrupt();

    await().untilAsserted(() -> assertThat(thrown.get()).isInstanceOf(InterruptedException.class));
  }

  @Test
  void sent_time_is_the_services() {
    long before = fixture().serviceMillis();
    ReceivedMessage received = sendAndReceive(message("now"), LONG);

    assertThat(received.sentMillis())
        .isBetween(before - 60_000, fixture().serviceMillis() + 60_000);
  }

  @Test
  void depth_counts_what_waits_and_what_is_in_flight() {
    assertThat(queue().send(List.of(message("a"), message("b"), message("c")))).isEmpty();
    ReceivedMessage unused = receiveOne(queue()::receive, LONG);

    await().untilAsserted(() -> assertThat(queue().depth()).isEqualTo(new QueueDepth(2, 1, 0)));
  }

  @Test
  void queue_that_does_not_exist_is_named_by_every_call() {
    RequestQueue missing = fixture().missing().requests();

    assertThatThrownBy(() -> missing.send(List.of(message("lost"))))
        .isInstanceOfSatisfying(
            MissingResourceException.class,
            e -> assertThat(e.resource()).isEqualTo(missing.name()));
    assertThatThrownBy(() -> missing.receive(1, Duration.ZERO, LONG))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining(missing.name());
    assertThatThrownBy(missing::depth).isInstanceOf(MissingResourceException.class);
  }
}
