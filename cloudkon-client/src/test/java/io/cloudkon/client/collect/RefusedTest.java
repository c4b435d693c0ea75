package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a client waits for what a policy refuses, and what it says then. */
class RefusedTest {
  private static final RefusedException DENIED =
      new RefusedException("sqs:ReceiveMessage", "queue", "Q-response-c", "HTTP 403", null);

  private final ManualTime time = new ManualTime();

  private static ResultBatch stored(String key) {
    return new ResultBatch(
            "r",
            "e",
            "r/e/0",
            new ResultBatch.WorkerId("w", 1, 0),
            1,
            "a-nonce",
            new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
            List.of(),
            List.of(),
            "")
        .storedUnder(key);
  }

  @Test
  void stored_result_is_given_up_after_a_minute_of_refusals() {
    RefusedResults results = new RefusedResults(time);
    assertThat(results.lasts("key")).isFalse();
    time.advance(Duration.ofSeconds(59));
    assertThat(results.lasts("key")).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(results.lasts("key")).isTrue();
  }

  @Test
  void task_of_a_stored_result_stands_in_its_key() {
    String key = BlobKeys.out("r", "r/e/0", "a-nonce", 7);
    assertThat(RefusedResults.task(stored(key))).hasValue(7);
    assertThat(RefusedResults.task(stored(key + "-2"))).hasValue(7);
    assertThat(RefusedResults.task(stored("r/out/r/e/0/other-7"))).isEmpty();
  }

  @Test
  void response_queue_that_never_worked_is_hopeless_at_once() {
    assertThat(new RefusedQueue(time).isHopeless(DENIED)).isTrue();
  }

  @Test
  void response_queue_that_worked_is_waited_for_for_five_minutes() {
    RefusedQueue queue = new RefusedQueue(time);
    queue.allowed("sqs:ReceiveMessage");
    assertThat(queue.isHopeless(DENIED)).isFalse();
    time.advance(Duration.ofMinutes(4));
    queue.allowed("sqs:ReceiveMessage");
    assertThat(queue.isHopeless(DENIED)).isFalse();
    time.advance(Duration.ofMinutes(5));
    assertThat(queue.isHopeless(DENIED)).isTrue();
  }

  @Test
  void former_queue_is_waited_for_though_this_client_never_read_it() {
    RefusedQueue queue = RefusedQueue.thatWorked(time);
    queue.throwIfHopeless(DENIED);
    time.advance(RefusedQueue.PATIENCE);
    queue.throwIfHopeless(new TransientServiceException("HTTP 503", null));
    assertThatThrownBy(() -> queue.throwIfHopeless(DENIED)).isSameAs(DENIED);
  }
}
