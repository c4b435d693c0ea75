package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Messages.LONG;
import static io.cloudkon.core.contract.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link ResponseQueue} does. */
public abstract class ResponseQueueContract extends PortContract {

  private ResponseQueue queues() {
    return cluster().responses();
  }

  private String name(String client) {
    return Names.response(cluster().name(), client);
  }

  private String created(String client) {
    String name = name(client);
    queues().create(name);
    return name;
  }

  private Messages.Receiver receiver(String name) {
    return (max, wait, visibility) -> queues().receive(name, max, wait, visibility);
  }

  @Test
  void create_makes_a_queue_that_takes_and_gives_messages() {
    String name = created("one");
    byte[] payload = new byte[100_000];
    new SplittableRandom(2).nextBytes(payload);

    assertThat(queues().send(name, List.of(message(payload)))).isEmpty();

    ReceivedMessage received = Messages.receiveOne(receiver(name), LONG);
    assertThat(received.payload()).isEqualTo(payload);
    assertThat(received.attributes()).isEqualTo(message("").attributes());
  }

  @Test
  void create_again_leaves_the_queue_as_it_is() {
    String name = created("one");
    assertThat(queues().send(name, List.of(message("kept")))).isEmpty();

    queues().create(name);

    assertThat(Messages.text(Messages.receiveOne(receiver(name), LONG))).isEqualTo("kept");
  }

  @Test
  void batch_of_ten_arrives_whole_and_is_deleted_whole() throws InterruptedException {
    String name = created("ten");
    List<String> texts = IntStream.range(0, 10).mapToObj(i -> "result " + i).toList();
    assertThat(queues().send(name, texts.stream().map(Messages::message).toList())).isEmpty();

    List<ReceivedMessage> received = Messages.receive(receiver(name), 10, Duration.ofSeconds(5));
    assertThat(queues().delete(name, received.stream().map(ReceivedMessage::handle).toList()))
        .isEmpty();
    fixture().advance(Duration.ofSeconds(6));

    assertThat(received).extracting(Messages::text).containsExactlyInAnyOrderElementsOf(texts);
    assertThat(queues().receive(name, 10, Duration.ZERO, LONG)).isEmpty();
  }

  @Test
  void message_comes_again_when_its_visibility_ends() {
    String name = created("again");
    assertThat(queues().send(name, List.of(message("again")))).isEmpty();
    ReceivedMessage first = Messages.receiveOne(receiver(name), Duration.ofSeconds(1));
    fixture().advance(Duration.ofSeconds(1));

    ReceivedMessage second = Messages.receiveOne(receiver(name), LONG);

    assertThat(second.receives()).isEqualTo(2);
    assertThat(queues().delete(name, List.of(first.handle()))).isEmpty();
    assertThat(queues().delete(name, List.of(second.handle()))).isEmpty();
  }

  @Test
  void receive_that_waits_gets_a_message_that_comes() {
    String name = created("wait");
    var receive = Messages.start(receiver(name), Duration.ofSeconds(20));

    assertThat(queues().send(name, List.of(message("awaited")))).isEmpty();

    await().atMost(Duration.ofSeconds(30)).until(receive::isDone);
    assertThat(receive.resultNow()).extracting(Messages::text).containsExactly("awaited");
  }

  @Test
  void receive_on_an_empty_queue_returns_nothing_after_its_wait() {
    var receive = Messages.start(receiver(created("empty")), Duration.ofSeconds(1));

    assertThat(Messages.result(receive, fixture())).isEmpty();
  }

  @Test
  void two_queues_are_apart() throws InterruptedException {
    String one = created("one");
    String two = created("two");
    assertThat(queues().send(one, List.of(message("for one")))).isEmpty();

    assertThat(Messages.text(Messages.receiveOne(receiver(one), LONG))).isEqualTo("for one");
    assertThat(queues().receive(two, 10, Duration.ZERO, LONG)).isEmpty();
  }

  @Test
  void list_names_response_queues_and_nothing_else() {
    assertThat(queues().list()).isEmpty();
    String one = created("one");
    String two = created("two");

    await().untilAsserted(() -> assertThat(queues().list()).containsExactlyInAnyOrder(one, two));
  }

  @Test
  void removed_queue_is_gone() {
    String name = created("gone");

    queues().remove(name);

    await().untilAsserted(() -> assertThat(queues().list()).isEmpty());
    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> queues().send(name, List.of(message("late"))))
                .isInstanceOf(MissingResourceException.class));
  }

  @Test
  void remove_of_a_queue_that_does_not_exist_is_no_failure() {
    assertThatCode(() -> queues().remove(name("never"))).doesNotThrowAnyException();
  }

  @Test
  void queue_that_does_not_exist_is_named_by_send_and_receive() {
    String never = name("never");

    assertThatThrownBy(() -> queues().send(never, List.of(message("lost"))))
        .isInstanceOfSatisfying(
            MissingResourceException.class, e -> assertThat(e.resource()).isEqualTo(never));
    assertThatThrownBy(() -> queues().receive(never, 1, Duration.ZERO, LONG))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining(never);
  }

  @Test
  void another_queue_of_the_cluster_is_no_response_queue() throws InterruptedException {
    String dead = cluster().dead().name();
    assertThat(cluster().dead().send(List.of(message("letter")))).isEmpty();

    assertThatThrownBy(() -> queues().send(dead, List.of(message("result"))))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage(
            "'%s' is not the name of a response queue in cluster %s", dead, cluster().name());
    assertThatThrownBy(() -> queues().receive(dead, 1, Duration.ZERO, LONG))
        .isInstanceOf(MissingResourceException.class);
    assertThatThrownBy(() -> queues().delete(dead, List.of("handle")))
        .isInstanceOf(MissingResourceException.class);
    queues().remove(dead);

    assertThat(Messages.text(Messages.receiveOne(cluster().dead()::receive, LONG)))
        .isEqualTo("letter");
  }
}
