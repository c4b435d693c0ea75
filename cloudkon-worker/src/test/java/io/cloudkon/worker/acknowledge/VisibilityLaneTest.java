package io.cloudkon.worker.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class VisibilityLaneTest {
  private final List<List<VisibilityChange>> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final VisibilityLane lane = new VisibilityLane(queue());

  /** A queue whose calls take until {@link #answer}. */
  private RequestQueue queue() {
    return (RequestQueue)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RequestQueue.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("changeVisibilities");
              calls.add(changes(arguments[0]));
              answer.await();
              return List.<BatchFailure>of();
            });
  }

  @SuppressWarnings("unchecked")
  private static List<VisibilityChange> changes(Object argument) {
    return List.copyOf((List<VisibilityChange>) argument);
  }

  private static VisibilityChange change(String handle, long seconds) {
    return new VisibilityChange(handle, Duration.ofSeconds(seconds));
  }

  /** The extension was served last, and hid a message that was given back. */
  @Test
  void hide_twice_while_a_call_is_under_way_only_the_last_time_counts() throws Exception {
    VisibilityLane.Change extended = lane.hide("a", 15_000);
    await().until(() -> calls.size() == 1);
    VisibilityLane.Change waiting = lane.hide("a", 15_000);
    VisibilityLane.Change back = lane.hide("a", 0);
    answer.countDown();
    extended.await();
    waiting.await();
    back.await();
    lane.close();

    assertThat(calls).containsExactly(List.of(change("a", 15)), List.of(change("a", 0)));
  }

  @Test
  void hide_of_many_messages_ten_to_a_call_in_their_order() throws Exception {
    VisibilityLane.Change first = lane.hide("first", 1);
    await().until(() -> calls.size() == 1);
    for (int i = 0; i < 12; i++) {
      VisibilityLane.Change unused = lane.hide("m" + i, 1_001);
    }
    answer.countDown();
    first.await();
    lane.close();

    assertThat(calls).extracting(List::size).containsExactly(1, 10, 2);
    assertThat(calls.getFirst()).containsExactly(change("first", 1));
    assertThat(calls.getLast()).containsExactly(change("m10", 2), change("m11", 2));
  }

  @Test
  void hide_after_the_end_is_made_by_its_caller() throws Exception {
    answer.countDown();
    lane.close();

    lane.hide("late", 0).await();

    assertThat(calls).containsExactly(List.of(change("late", 0)));
  }
}
