package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over links of several speeds, with calls that may take 50 s. */
final class AdaptiveReceivesTest {
  private static final String QUEUE = Names.response("Q", "c");
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final long CALL_MILLIS = 50_000;

  private final ManualTime time = new ManualTime();
  private final ResponseQueue queue = new MemoryCloud(time).setup("Q").responses();
  private final List<Integer> requested = new ArrayList<>();
  private final AdaptiveReceives receives = new AdaptiveReceives(link(), time);

  /** How long a message takes to arrive. */
  private long millisEach;

  /** How long the queue was empty before messages came. */
  private long waited;

  private ResponseQueue link() {
    return (ResponseQueue)
        Proxy.newProxyInstance(
            ResponseQueue.class.getClassLoader(),
            new Class<?>[] {ResponseQueue.class},
            (_, method, arguments) -> {
              requested.add((Integer) arguments[1]);
              arguments[2] = Duration.ZERO;
              List<?> got;
              try {
                got = (List<?>) method.invoke(queue, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              long takes = waited + got.size() * millisEach;
              time.advanceMillis(Math.min(CALL_MILLIS, takes));
              if (takes > CALL_MILLIS) {
                throw new TransientServiceException("no answer", null);
              }
              return got;
            });
  }

  @BeforeEach
  void createQueue() {
    queue.create(QUEUE);
  }

  private void put(int messages) {
    for (int i = 0; i < messages; i++) {
      assertThat(queue.send(QUEUE, List.of(new OutgoingMessage(Map.of(), new byte[] {1}))))
          .isEmpty();
    }
  }

  private int receive() throws InterruptedException {
    List<ReceivedMessage> got = receives.receive(QUEUE, WAIT);
    if (!got.isEmpty()) {
      queue.delete(QUEUE, got.stream().map(ReceivedMessage::handle).toList());
    }
    return got.size();
  }

  @Test
  void fast_link_carries_ten_at_a_time() throws InterruptedException {
    put(30);
    millisEach = 10;
    for (int i = 0; i < 3; i++) {
      assertThat(receive()).isEqualTo(10);
    }
  }

  @Test
  void batch_that_does_not_arrive_is_requested_in_smaller_ones_until_it_does()
      throws InterruptedException {
    put(10);
    millisEach = 12_000; // four would arrive in time
    assertThatThrownBy(this::receive).isInstanceOf(TransientServiceException.class);
    assertThatThrownBy(this::receive).isInstanceOf(TransientServiceException.class);
    assertThat(receive()).isEqualTo(2);
    assertThat(receive()).isEqualTo(1);
    assertThat(receive()).isEqualTo(1);

    assertThat(requested).containsExactly(10, 5, 2, 1, 1);
  }

  @Test
  void batch_that_arrives_after_it_became_visible_again_is_too_large() throws InterruptedException {
    put(20);
    millisEach = 3_000;
    assertThat(receive()).isEqualTo(10);
    assertThat(receive()).isEqualTo(5);
    assertThat(receive()).isEqualTo(2);
    assertThat(receive()).as("6 s are neither slow nor fast").isEqualTo(2);
  }

  @Test
  void fast_full_batches_make_the_next_ones_larger() throws InterruptedException {
    put(10);
    millisEach = 60_000;
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(this::receive).isInstanceOf(TransientServiceException.class);
    }
    time.advance(Duration.ofMinutes(1));
    put(30);
    requested.clear();
    millisEach = 1;
    while (receive() > 0) {}

    assertThat(requested).startsWith(1, 2, 4, 8, 10, 10);
  }

  @Test
  void few_messages_after_a_long_wait_are_not_slow() throws InterruptedException {
    put(3);
    waited = 19_000;
    millisEach = 100;
    assertThat(receive()).isEqualTo(3);
    waited = 0;
    put(10);
    assertThat(receive()).isEqualTo(10);
  }

  @Test
  void call_that_fails_at_once_says_nothing_about_the_link() throws InterruptedException {
    ResponseQueue failing =
        (ResponseQueue)
            Proxy.newProxyInstance(
                ResponseQueue.class.getClassLoader(),
                new Class<?>[] {ResponseQueue.class},
                (_, _, arguments) -> {
                  requested.add((Integer) arguments[1]);
                  throw new TransientServiceException("throttled", null);
                });
    AdaptiveReceives throttled = new AdaptiveReceives(failing, time);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> throttled.receive(QUEUE, WAIT))
          .isInstanceOf(TransientServiceException.class);
    }

    assertThat(requested).containsExactly(10, 10);
  }
}
