package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BundleMessagesTest {
  private static Bundle bundle(String responseQueue, Work... work) {
    List<Task> tasks =
        IntStream.range(0, work.length).mapToObj(i -> new Task(i, "", work[i], 0)).toList();
    return new Bundle(
        new BundleHeader(
            "r",
            "e",
            BundleIds.of("r", "e", 0),
            responseQueue,
            Consistency.EXACTLY_ONCE,
            65_536,
            0,
            0,
            0),
        tasks);
  }

  @Test
  void message_is_of_its_clients_group() {
    Bundle bundle = bundle("Q-response-0123456789ab", Work.Noop.INSTANCE);

    assertThat(BundleMessages.of(bundle).group()).isEqualTo("0123456789ab");
  }

  @Test
  void part_that_a_worker_hands_on_stays_in_its_clients_group() throws Exception {
    Bundle bundle = bundle("Q-response-0123456789ab", Work.Noop.INSTANCE, Work.Noop.INSTANCE);
    Bundle received = BundleCodec.decode(BundleMessages.of(bundle).payload());

    assertThat(BundleMessages.of(received.child(0, Positions.of(1))).group())
        .isEqualTo("0123456789ab");
  }

  @Test
  void hpc_job_is_of_its_clients_group() {
    Bundle job = bundle("Q-response-0123456789ab", new Work.Hpc(2, false, Work.Noop.INSTANCE));

    assertThat(BundleMessages.of(job).group()).isEqualTo("0123456789ab");
  }

  @Test
  void group_does_not_change_with_a_response_queue_that_took_anothers_place() {
    assertThat(BundleMessages.of(bundle("Q-response-c1-3", Work.Noop.INSTANCE)).group())
        .isEqualTo("c1");
  }

  @Test
  void bundle_that_answers_nowhere_known_has_no_group() {
    assertThat(BundleMessages.of(bundle("somewhere else", Work.Noop.INSTANCE)).group()).isEmpty();
  }

  @Test
  void dead_letter_is_of_its_clients_group_whether_it_can_be_read_or_not() {
    Bundle bundle = bundle("Q-response-0123456789ab", Work.Noop.INSTANCE);
    OutgoingMessage sent = BundleMessages.of(bundle);

    assertThat(DeadLetters.of(bundle, "why").group()).isEqualTo("0123456789ab");
    assertThat(DeadLetters.of(sent.attributes(), new byte[] {1}, "why").group())
        .isEqualTo("0123456789ab");
    assertThat(DeadLetters.of(Map.of(), new byte[Limits.MESSAGE_BYTES], "why").group()).isEmpty();
  }
}
