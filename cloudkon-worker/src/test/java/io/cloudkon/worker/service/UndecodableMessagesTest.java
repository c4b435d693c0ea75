package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UndecodableMessagesTest {
  private static final Duration HIDDEN = Duration.ofSeconds(15);

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");

  private void garbage(RequestQueue queue, Map<String, String> attributes)
      throws InterruptedException {
    garbage(cluster, queue, attributes);
  }

  private void garbage(Cluster seen, RequestQueue queue, Map<String, String> attributes)
      throws InterruptedException {
    byte[] payload = "garbage".getBytes(StandardCharsets.UTF_8);
    assertThat(queue.send(List.of(new OutgoingMessage(attributes, payload)))).isEmpty();
    ReceivedMessage message = queue.receive(1, Duration.ZERO, HIDDEN).getFirst();
    new UndecodableMessages(seen, queue, new ResultBatch.WorkerId("w", 1, 0), time)
        .accept(message, "the reason");
  }

  @Test
  void garbage_among_jobs_is_deleted_there_and_leaves_one_letter() throws Exception {
    garbage(cluster.hpc().jobs(), Map.of());

    time.advance(HIDDEN.plusSeconds(1));
    assertThat(cluster.hpc().jobs().depth()).isEqualTo(new QueueDepth(0, 0, 0));
    assertThat(cluster.dead().depth().waiting()).isEqualTo(1);
  }

  @Test
  void client_is_told_why() throws Exception {
    String responses = Bundles.queue("r");
    cluster.responses().create(responses);

    garbage(cluster.requests(), attributes(responses));

    ReceivedMessage told = cluster.responses().receive(responses, 1, Duration.ZERO, HIDDEN).get(0);
    assertThat(ResultCodec.decode(told.payload()).bundleError())
        .isEqualTo("its bundle could not be decoded: the reason");
    assertThat(cluster.requests().depth()).isEqualTo(new QueueDepth(0, 0, 0));
  }

  @Test
  void message_that_names_another_queue_for_its_answer_reaches_only_the_dead_letters()
      throws Exception {
    garbage(cluster.requests(), attributes(cluster.hpc().ranks().name()));

    assertThat(cluster.hpc().ranks().depth()).isEqualTo(new QueueDepth(0, 0, 0));
    assertThat(cluster.requests().depth()).isEqualTo(new QueueDepth(0, 0, 0));
    assertThat(cluster.dead().depth().waiting()).isEqualTo(1);
  }

  @Test
  void message_with_more_and_longer_attributes_than_a_letter_can_have_leaves_one()
      throws Exception {
    Map<String, String> attributes = new HashMap<>(attributes("none"));
    for (int i = 0; i < 7; i++) {
      attributes.put("foreign" + i, "x".repeat(140_000));
    }

    garbage(cluster.requests(), attributes);

    assertThat(cluster.requests().depth()).isEqualTo(new QueueDepth(0, 0, 0));
    ReceivedMessage letter = cluster.dead().receive(1, Duration.ZERO, HIDDEN).getFirst();
    assertThat(letter.attributes())
        .containsEntry(OutgoingMessage.BUNDLE, "r/e/0")
        .containsEntry(OutgoingMessage.REASON, "the reason")
        .hasSizeLessThanOrEqualTo(8);
    assertThat(new String(letter.payload(), StandardCharsets.UTF_8)).isEqualTo("garbage");
  }

  @Test
  void client_whose_queue_refuses_the_answer_does_not_keep_the_message_coming() throws Exception {
    Cluster denied =
        new Refusing(cluster)
            .refuse("responses.send", "sqs:SendMessage", Bundles.queue("r"))
            .cluster();

    garbage(denied, cluster.requests(), attributes(Bundles.queue("r")));

    assertThat(cluster.requests().depth()).isEqualTo(new QueueDepth(0, 0, 0));
    assertThat(cluster.dead().depth().waiting()).isEqualTo(1);
  }

  private static Map<String, String> attributes(String responses) {
    return Map.of(
        OutgoingMessage.RUN, "r",
        OutgoingMessage.BUNDLE, "r/e/0",
        OutgoingMessage.RESPONSE_QUEUE, responses);
  }
}
