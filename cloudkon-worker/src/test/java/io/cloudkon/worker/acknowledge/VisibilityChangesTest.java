package io.cloudkon.worker.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.worker.pipeline.Later;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class VisibilityChangesTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final List<BatchFailure> ALL_MADE = List.of();

  private final List<List<VisibilityChange>> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch answer = new CountDownLatch(1);

  /** The answers to the first calls, one by one; all changes of later ones are made. */
  private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();

  private final Later later = new Later();
  private VisibilityChanges changes = changes(LONG);

  private VisibilityChanges changes(Duration end) {
    return new VisibilityChanges(queue(), later, new BackOff(1, 1, new Random(1)), end);
  }

  @AfterEach
  void close() {
    answer.countDown();
    later.close();
  }

  /** A queue whose calls take until {@link #answer}. */
  private RequestQueue queue() {
    return (RequestQueue)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RequestQueue.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("changeVisibilities");
              calls.add(requests(arguments[0]));
              answer.await();
              Object next = answers.poll();
              if (next instanceof RuntimeException e) {
                throw e;
              }
              return next == null ? ALL_MADE : next;
            });
  }

  @SuppressWarnings("unchecked")
  private static List<VisibilityChange> requests(Object argument) {
    return List.copyOf((List<VisibilityChange>) argument);
  }

  private static VisibilityChange change(String handle, long seconds) {
    return new VisibilityChange(handle, Duration.ofSeconds(seconds));
  }

  private void extend(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      changes.extend(prefix + i, 15_000);
    }
  }

  /** Two calls are under way that need not be full. */
  private void occupy() {
    extend("first", 2);
    await().until(() -> calls.size() == 2);
  }

  /** The extension was served last, and hid a message that was given back. */
  @Test
  void change_while_another_of_its_message_is_under_way_only_the_last_one_follows()
      throws Exception {
    changes.extend("a", 15_000);
    await().until(() -> calls.size() == 1);
    changes.extend("a", 15_000);
    VisibilityChanges.Change back = changes.putBack("a", 0);
    changes.putBack("b", 0);
    await().until(() -> calls.size() == 2);
    assertThat(calls.getLast()).as("one of a is under way").containsExactly(change("b", 0));

    answer.countDown();
    back.await();
    changes.close();

    assertThat(calls)
        .containsExactly(
            List.of(change("a", 15)), List.of(change("b", 0)), List.of(change("a", 0)));
  }

  @Test
  void extensions_that_wait_go_ten_to_a_call_in_their_order() throws Exception {
    occupy();
    extend("m", 9);
    assertThat(calls).hasSize(2);
    extend("n", 4);
    await().until(() -> calls.size() == 3);

    assertThat(calls.getLast()).hasSize(10).startsWith(change("m0", 15)).endsWith(change("n0", 15));
    answer.countDown();
    await().until(() -> calls.size() == 4);
    assertThat(calls.getLast())
        .containsExactly(change("n1", 15), change("n2", 15), change("n3", 15));
  }

  /** One after the other, 10,000 bundles would have needed 200 calls a second. */
  @Test
  void extensions_of_very_many_messages_go_in_several_calls_at_a_time() {
    extend("m", 10_000);

    await().until(() -> calls.size() == 16);
    answer.countDown();
    await().until(() -> calls.stream().mapToInt(List::size).sum() == 10_000);
    assertThat(calls.stream().flatMap(List::stream)).doesNotHaveDuplicates();
    assertThat(calls).hasSizeLessThan(1_010);
  }

  @Test
  void put_back_passes_extensions_that_wait_and_calls_that_hang() {
    occupy();
    extend("m", 9);

    changes.putBack("back", 0);

    await().until(() -> calls.size() == 3);
    assertThat(calls.getLast()).hasSize(10).startsWith(change("back", 0));
  }

  @Test
  void change_that_failed_is_repeated() throws Exception {
    answers.add(new TransientServiceException("HTTP 503", null));
    answers.add(List.of(new BatchFailure(0, "InternalError", true)));
    answer.countDown();

    changes.putBack("a", 0).await();

    assertThat(calls).hasSize(3).allMatch(List.of(change("a", 0))::equals);
  }

  @Test
  void change_that_failed_for_good_is_not_repeated() {
    answers.add(List.of(new BatchFailure(0, "ReceiptHandleIsInvalid", false)));
    answer.countDown();

    changes.putBack("a", 0).await();

    assertThat(calls).hasSize(1);
  }

  @Test
  void change_that_always_fails_is_given_up() {
    for (int i = 0; i < 100; i++) {
      answers.add(new TransientServiceException("HTTP 503", null));
    }
    answer.countDown();

    changes.putBack("a", 0).await();

    assertThat(calls).hasSize(8);
  }

  @Test
  void extension_that_failed_is_not_repeated_after_the_put_back_that_came_meanwhile()
      throws Exception {
    answers.add(new TransientServiceException("HTTP 503", null));
    changes.extend("a", 15_000);
    await().until(() -> calls.size() == 1);
    VisibilityChanges.Change back = changes.putBack("a", 0);
    answer.countDown();

    back.await();
    changes.close();

    assertThat(calls).containsExactly(List.of(change("a", 15)), List.of(change("a", 0)));
  }

  @Test
  void end_drops_extensions_and_makes_put_backs() throws Exception {
    occupy();
    extend("m", 9);
    List<VisibilityChanges.Change> backs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      backs.add(changes.putBack("back" + i, 0));
    }
    await().until(() -> calls.size() == 16);
    changes.extend("late", 15_000);
    Thread closing = Thread.ofVirtual().start(this::closeQuietly);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    answer.countDown();
    closing.join();

    backs.forEach(VisibilityChanges.Change::await);
    assertThat(calls.stream().flatMap(List::stream))
        .doesNotContain(change("late", 15))
        .filteredOn(each -> each.visibility().isZero())
        .hasSize(200);
  }

  private void closeQuietly() {
    try {
      changes.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One after the other, 500 bundles needed eight minutes after an outage. */
  @Test
  void end_while_the_queue_does_not_answer_is_limited() throws Exception {
    changes = changes(Duration.ofMillis(50));
    List<VisibilityChanges.Change> backs = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      backs.add(changes.putBack("m" + i, 0));
    }

    changes.close();

    backs.getLast().await();
    assertThat(calls).hasSizeLessThanOrEqualTo(16);
  }

  @Test
  void put_back_after_the_end_is_made_by_its_caller_and_no_extension_is() throws Exception {
    answer.countDown();
    changes.close();

    changes.putBack("late", 0).await();
    changes.extend("later", 15_000);

    assertThat(calls).containsExactly(List.of(change("late", 0)));
  }
}
