package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
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

  private boolean take(LastReceives.Receive receive) throws InterruptedException {
    return new LastReceives(receive, hidden::get, time).take("Q-response-c");
  }

  private int batch() {
    return Math.min(Limits.BATCH, waiting.getAndUpdate(left -> Math.max(0, left - Limits.BATCH)));
  }

  @Test
  void everything_is_taken_however_long_it_takes_and_by_several_threads() throws Exception {
    waiting.set(5_003);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();

    assertThat(
            take((queue, wait) -> {
              threads.add(Thread.currentThread());
              time.advanceMillis(1_000);
              return batch();
            }))
        .isTrue();

    assertThat(waiting).hasValue(0);
    assertThat(threads).hasSizeGreaterThan(1);
  }

  @Test
  void receive_that_fails_for_a_while_is_no_empty_queue() throws Exception {
    waiting.set(3);

    assertThat(
            take((queue, wait) -> {
              time.advanceMillis(10_000);
              if (calls.incrementAndGet() < 4) {
                throw new TransientServiceException("throttled", null);
              }
              return batch();
            }))
        .isTrue();

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

    assertThat(
            take((queue, wait) -> {
              time.advanceMillis(5_000);
              int call = calls.incrementAndGet();
              if (call == 4) {
                hidden.set(0);
              }
              return call == 1 || call == 4 ? 1 : 0;
            }))
        .isTrue();

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
  void queue_that_is_gone_is_said_to_be() throws Exception {
    assertThat(
            take((queue, wait) -> {
              throw new MissingResourceException("queue", queue, null);
            }))
        .isFalse();
  }
}
