package io.cloudkon.core.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NaturalBatcherTest {
  private final BlockingQueue<List<Integer>> begun = new LinkedBlockingQueue<>();
  private final Semaphore answers = new Semaphore(0);

  @Test
  void item_goes_at_once_and_what_comes_meanwhile_goes_together() throws Exception {
    NaturalBatcher<Integer> batcher = batcher(10, 1000, this::call);
    batcher.add(0);
    assertThat(begun.take()).containsExactly(0);

    for (int i = 1; i <= 12; i++) {
      batcher.add(i);
    }
    answers.release(3);

    assertThat(begun.take()).containsExactlyElementsOf(range(1, 10));
    assertThat(begun.take()).containsExactly(11, 12);
    batcher.close();
  }

  @Test
  void batch_holds_no_more_bytes_than_allowed_but_for_one_large_item() throws Exception {
    NaturalBatcher<Integer> batcher = batcher(10, 100, this::call);
    batcher.add(1);
    begun.take();
    for (int bytes : List.of(60, 40, 1, 500, 7)) {
      batcher.add(bytes);
    }
    answers.release(10);

    assertThat(begun.take()).containsExactly(60, 40);
    assertThat(begun.take()).containsExactly(1);
    assertThat(begun.take()).containsExactly(500);
    assertThat(begun.take()).containsExactly(7);
    batcher.close();
  }

  @Test
  void lane_goes_on_after_a_call_that_threw() throws Exception {
    List<Integer> seen = new CopyOnWriteArrayList<>();
    NaturalBatcher<Integer> batcher =
        batcher(
            1,
            100,
            batch -> {
              seen.addAll(batch);
              if (batch.getFirst() == 1) {
                throw new IllegalStateException("planted");
              }
              if (batch.getFirst() == 2) {
                throw new OutOfMemoryError("planted");
              }
            });
    for (int i = 1; i <= 4; i++) {
      batcher.add(i);
    }

    batcher.awaitIdle();
    assertThat(seen).containsExactly(1, 2, 3, 4);
    batcher.close();
  }

  @Test
  void closed_batcher_has_sent_what_waited_and_takes_nothing_more() throws Exception {
    NaturalBatcher<Integer> batcher = batcher(2, 100, this::call);
    answers.release(10);
    for (int i = 0; i < 5; i++) {
      batcher.add(i);
    }

    batcher.close();

    assertThat(begun.stream().flatMap(List::stream)).containsExactlyElementsOf(range(0, 5));
    assertThatThrownBy(() -> batcher.add(5)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_gathers_goes_as_soon_as_it_need_not_wait_any_longer() throws Exception {
    AtomicLong gather = new AtomicLong(TimeUnit.HOURS.toMillis(1));
    answers.release(10);
    try (NaturalBatcher<Integer> batcher =
        new NaturalBatcher<>("test", 1, 10, 1000, 100, i -> i, this::call, gather::get)) {
      batcher.add(1);
      batcher.add(2);
      batcher.gatherAnew();
      assertThat(begun).isEmpty();

      gather.set(0);
      batcher.gatherAnew();
      assertThat(begun.take()).containsExactly(1, 2);
    }
  }

  @Test
  void full_batch_does_not_wait_for_more() throws Exception {
    answers.release(10);
    try (NaturalBatcher<Integer> batcher =
        new NaturalBatcher<>(
            "test", 1, 3, 1000, 100, i -> i, this::call, () -> TimeUnit.HOURS.toMillis(1))) {
      for (int i = 0; i < 4; i++) {
        batcher.add(i);
      }
      assertThat(begun.take()).containsExactly(0, 1, 2);
      assertThat(begun).isEmpty();
    }
  }

  @Test
  void interrupted_thread_adds_its_item_where_there_is_room() throws Exception {
    answers.release(10);
    try (NaturalBatcher<Integer> batcher = batcher(10, 1000, this::call)) {
      Thread.currentThread().interrupt();
      batcher.add(1);
      assertThat(Thread.interrupted()).isTrue();

      assertThat(begun.take()).containsExactly(1);
    }
  }

  @Test
  void thread_that_waits_for_room_ends_when_it_is_interrupted() throws Exception {
    try (NaturalBatcher<Integer> batcher =
        new NaturalBatcher<>("test", 1, 10, 1000, 1, i -> i, this::call)) {
      batcher.add(1);
      begun.take();
      batcher.add(2);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> batcher.add(3)).isInstanceOf(InterruptedException.class);

      answers.release(10);
      assertThat(begun.take()).containsExactly(2);
    }
  }

  /** One wake-up for each item must be enough, whoever takes it. */
  @Test
  void lanes_send_at_the_same_time_and_leave_nothing_behind() throws Exception {
    try (NaturalBatcher<Integer> batcher =
        new NaturalBatcher<>("test", 3, 2, 1000, 4, i -> i, this::call)) {
      for (int i = 0; i < 3; i++) {
        batcher.add(i);
        assertThat(begun.take()).containsExactly(i);
      }
      List<Thread> adders = new ArrayList<>();
      for (int from = 1; from <= 4; from++) {
        int first = 1000 * from;
        adders.add(Thread.ofVirtual().start(() -> addAll(batcher, range(first, 500))));
      }
      answers.release(10_000);
      for (Thread adder : adders) {
        adder.join();
      }
      batcher.awaitIdle();
      assertThat(begun.stream().mapToInt(List::size).sum()).isEqualTo(2_000);
      assertThat(begun).allMatch(batch -> batch.size() <= 2);
    }
  }

  private static void addAll(NaturalBatcher<Integer> batcher, List<Integer> items) {
    try {
      for (int item : items) {
        batcher.add(item);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static NaturalBatcher<Integer> batcher(
      int maxItems, int maxBytes, Consumer<List<Integer>> call) {
    return new NaturalBatcher<>("test", 1, maxItems, maxBytes, 100, i -> i, call);
  }

  private void call(List<Integer> batch) {
    begun.add(batch);
    answers.acquireUninterruptibly();
  }

  private static List<Integer> range(int from, int count) {
    return IntStream.range(from, from + count).boxed().toList();
  }
}
