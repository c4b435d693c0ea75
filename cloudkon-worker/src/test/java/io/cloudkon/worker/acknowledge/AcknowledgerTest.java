package io.cloudkon.worker.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.refusal.RefusalLog;
import io.cloudkon.core.refusal.WatchedPorts;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcknowledgerTest {
  private static final int MESSAGES = 25;

  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final PrintStream before = System.err;
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private final Refusing policy = new Refusing(new MemoryCloud(new ManualTime()).setup("Q"));
  private final Cluster cluster = WatchedPorts.of(policy.cluster(), new RefusalLog(refusals::add));
  private final AtomicInteger told = new AtomicInteger();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  @Test
  void refused_deletion_is_said_once_however_many_messages_stay() throws Exception {
    policy.refuse("requests.delete", "sqs:DeleteMessage", "Q");

    deleteAll();

    assertThat(refusals)
        .singleElement()
        .asString()
        .startsWith("refused, trying again: sqs:DeleteMessage on queue 'Q' was denied");
    assertThat(logged.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void deletion_that_fails_otherwise_is_said_of_each_message() throws Exception {
    policy.fail("requests.delete", new TransientServiceException("HTTP 503", null));

    deleteAll();

    assertThat(logged.toString(StandardCharsets.UTF_8).lines())
        .hasSize(MESSAGES)
        .allMatch(line -> line.contains("a message was not deleted and will be received again"));
  }

  /** Until each was tried often enough. */
  private void deleteAll() throws InterruptedException {
    try (Later later = new Later();
        Acknowledger acknowledger =
            new Acknowledger(cluster.requests(), later, new BackOff(1, 1, new Random(1)))) {
      for (int i = 0; i < MESSAGES; i++) {
        acknowledger.delete("handle-" + i, told::incrementAndGet);
      }
      await().until(() -> told.get() == MESSAGES);
    }
  }

  /** A bundle of one task, received from the queue; its message tells this number of receives. */
  private BundleInHand received(Consistency consistency, int receives) throws InterruptedException {
    BundleHeader header =
        new BundleHeader("r", "e", "r/e/0", Names.response("Q", "r"), consistency, 1024, 0, 0, 0);
    Bundle bundle = new Bundle(header, List.of(new Task(0, "1", Work.Noop.INSTANCE, 0)));
    cluster.requests().send(List.of(BundleMessages.of(bundle)));
    String handle = receive(Duration.ofMinutes(5)).getFirst().handle();
    return new BundleInHand(0, bundle, handle, receives, "nonce", 0, 0);
  }

  private List<ReceivedMessage> receive(Duration hidden) throws InterruptedException {
    return cluster.requests().receive(10, Duration.ZERO, hidden);
  }

  /** The receives that the message tells once it was put back. */
  private List<Integer> receivesAfterPutBack(Consistency consistency, int receives)
      throws InterruptedException {
    try (Later later = new Later()) {
      try (Acknowledger acknowledger =
          new Acknowledger(cluster.requests(), later, new BackOff(1, 1, new Random(1)))) {
        acknowledger.putBackUnbegun(received(consistency, receives), 0);
      }
      return receive(Duration.ofMinutes(5)).stream().map(ReceivedMessage::receives).toList();
    }
  }

  @Test
  void put_backs_do_not_add_up_to_the_receives_that_count_as_deaths() throws Exception {
    assertThat(receivesAfterPutBack(Consistency.AT_LEAST_ONCE, 50))
        .as("a new message, and no other")
        .containsExactly(1);
  }

  @Test
  void message_that_was_received_less_often_is_put_back_as_it_is() throws Exception {
    assertThat(receivesAfterPutBack(Consistency.AT_LEAST_ONCE, 49)).containsExactly(2);
  }

  @Test
  void message_whose_claim_tells_of_deaths_is_put_back_however_often() throws Exception {
    assertThat(receivesAfterPutBack(Consistency.EXACTLY_ONCE, 99)).containsExactly(2);
  }
}
