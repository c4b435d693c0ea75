package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.ResponseQueues;
import io.cloudkon.core.testing.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LastReceivesTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong hidden = new AtomicLong();

  private final ServicePatience refused = ServicePatience.thatWorked(time);
  private final ResponseQueues queues = new ResponseQueues(LeaseSettings.DEFAULT, "Q-response-c");

  private void take(LastReceives.Receive receive) throws InterruptedException {
    new LastReceives(
            receive,
            hidden::get,
            queue -> queues.missing(queue, time.now()),
            refused,
            time,
            millis -> {})
        .take(List.of("Q-response-c"));
  }

  private int batch() {
    return Math.min(Limits.BATCH, waiting.getAndUpdate(left -> Math.max(0, left - Limits.BATCH)));
  }

  @Test
  void everything_is_taken_however_long_it_takes_and_by_several_threads() throws Exception {
    waiting.set(5_003);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();

    take((queue, wait) -> {
      threads.add(Thread.currentThread());
      time.advanceMillis(1_000);
      return batch();
    });

    assertThat(waiting).hasValue(0);
    assertThat(threads).hasSizeGreaterThan(1);
  }

  @Test
  void receive_that_fails_for_a_while_is_no_empty_queue() throws Exception {
    waiting.set(3);

    take((queue, wait) -> {
      time.advanceMillis(10_000);
      if (calls.incrementAndGet() < 4) {
        throw new TransientServiceException("throttled", null);
      }
      return batch();
    });

    assertThat(waiting).hasValue(0);
  }

  @Test
  void receive_that_goes_on_failing_is_told() {
    assertThatThrownBy(() ->
            take((queue, wait) -> {
              time.advanceMillis(10_000);
              throw new TransientServiceException("throttled", null);
            }))
        .isInstanceOf(TransientServiceException.class);
  }

  @Test
  void message_that_could_not_be_taken_is_waited_for() throws Exception {
    hidden.set(10_000);

    take((queue, wait) -> {
      time.advanceMillis(5_000);
      int call = calls.incrementAndGet();
      if (call == 4) {
        hidden.set(0);
      }
      return call == 1 || call == 4 ? 1 : 0;
    });

    assertThat(calls).hasValue(5);
  }

  @Test
  void messages_that_can_never_be_taken_are_told_and_stay() {
    hidden.set(10_000);

    assertThatThrownBy(() ->
            take((queue, wait) -> {
              time.advanceMillis(10_000);
              return calls.incrementAndGet() % 2;
            }))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("stay in queue Q-response-c");
  }

  @Test
  void queue_that_is_said_to_be_gone_for_a_moment_is_no_empty_queue() throws Exception {
    waiting.set(3);

    take((queue, wait) -> {
      time.advanceMillis(1_000);
      if (calls.incrementAndGet() == 1) {
        throw new MissingResourceException("queue", queue, null);
      }
      return batch();
    });

    assertThat(waiting).hasValue(0);
  }

  @Test
  void queue_that_stays_gone_holds_nothing() throws Exception {
    take((queue, wait) -> {
      time.advanceMillis(1_000);
      calls.incrementAndGet();
      throw new MissingResourceException("queue", queue, null);
    });

    assertThat(calls).hasValue(6);
  }

  @Test
  void several_former_queues_that_are_gone_are_waited_for_together() throws Exception {
    List<String> former = List.of("Q-response-a", "Q-response-b", "Q-response-c");
    ResponseQueues moved = new ResponseQueues(LeaseSettings.DEFAULT, "Q-response-d");
    former.forEach(moved::alsoRead);
    long begun = time.now().mono();

    new LastReceives(
            (queue, wait) -> {
              time.advanceMillis(4_000);
              throw new MissingResourceException("queue", queue, null);
            },
            hidden::get,
            queue -> moved.missing(queue, time.now()),
            refused,
            time,
            millis -> {})
        .take(former);

    long gone = ResponseQueues.GONE_LEASES * LeaseSettings.DEFAULT.lease();
    assertThat(time.now().mono() - begun).isBetween(gone, gone + 20_000);
    assertThat(moved.former()).isEmpty();
  }

  @Test
  void results_are_taken_from_a_queue_while_another_one_is_missing() throws Exception {
    Map<String, Integer> receives = new ConcurrentHashMap<>();
    waiting.set(3);

    new LastReceives(
            (queue, wait) -> {
              int call = receives.merge(queue, 1, Integer::sum);
              if (queue.equals("missing") && call < 4) {
                throw new MissingResourceException("queue", queue, null);
              }
              return queue.equals("missing") ? 0 : batch();
            },
            hidden::get,
            queue -> false,
            refused,
            time,
            millis -> {})
        .take(List.of("missing", "there"));

    assertThat(waiting).hasValue(0);
    assertThat(receives).containsEntry("missing", 4).containsEntry("there", 2);
  }

  @Test
  void receive_that_is_refused_for_four_minutes_is_no_empty_queue() throws Exception {
    waiting.set(3);

    take((queue, wait) -> {
      time.advanceMillis(60_000);
      if (calls.incrementAndGet() < 5) {
        throw denied(queue);
      }
      return batch();
    });

    assertThat(waiting).hasValue(0);
  }

  @Test
  void receive_that_is_refused_for_five_minutes_is_told() {
    assertThatThrownBy(() ->
            take((queue, wait) -> {
              time.advanceMillis(60_000);
              calls.incrementAndGet();
              throw denied(queue);
            }))
        .isInstanceOf(RefusedException.class);

    assertThat(calls).hasValue(6);
  }

  private static RefusedException denied(String queue) {
    return new RefusedException("sqs:ReceiveMessage", "queue", queue, "HTTP 403", null);
  }
}
