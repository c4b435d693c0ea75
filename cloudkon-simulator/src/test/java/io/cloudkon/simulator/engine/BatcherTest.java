package io.cloudkon.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.batch.NaturalBatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatcherTest {
  private final List<List<Integer>> calls = new ArrayList<>();
  private final Deque<Runnable> underWay = new ArrayDeque<>();

  private Batcher<Integer> batcher(int lanes, int maxItems, int maxBytes) {
    return new Batcher<>(lanes, maxItems, maxBytes, i -> i, this::call);
  }

  private void call(List<Integer> batch, Runnable answered) {
    calls.add(batch);
    underWay.add(answered);
  }

  private void answerAll() {
    while (!underWay.isEmpty()) {
      underWay.remove().run();
    }
  }

  @Test
  void item_goes_at_once_and_what_comes_meanwhile_goes_together() {
    Batcher<Integer> batcher = batcher(1, 10, 1000);
    batcher.add(0);
    assertThat(calls).containsExactly(List.of(0));

    IntStream.rangeClosed(1, 12).forEach(batcher::add);
    assertThat(calls).hasSize(1);
    assertThat(batcher.waiting()).isEqualTo(12);
    underWay.remove().run();

    assertThat(calls.getLast())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 10).boxed().toList());
    underWay.remove().run();
    assertThat(calls.getLast()).containsExactly(11, 12);
    assertThat(batcher.idle()).as("with a call under way").isFalse();
    underWay.remove().run();
    assertThat(batcher.idle()).isTrue();
  }

  @Test
  void batch_holds_no_more_bytes_than_allowed_but_for_one_large_item() {
    Batcher<Integer> batcher = batcher(1, 10, 100);
    List.of(1, 60, 40, 1, 500, 7).forEach(batcher::add);

    answerAll();

    assertThat(calls)
        .containsExactly(List.of(1), List.of(60, 40), List.of(1), List.of(500), List.of(7));
  }

  @Test
  void as_many_calls_are_under_way_as_there_are_lanes() {
    Batcher<Integer> batcher = batcher(3, 10, 1000);
    IntStream.range(0, 8).forEach(batcher::add);
    assertThat(calls).containsExactly(List.of(0), List.of(1), List.of(2));

    underWay.removeLast().run();
    assertThat(calls.getLast()).containsExactly(3, 4, 5, 6, 7);
    underWay.remove().run();
    assertThat(underWay).hasSize(2);
    batcher.add(8);

    assertThat(calls.getLast()).as("there is a free lane").containsExactly(8);
  }

  @Test
  void call_that_is_answered_at_once_leaves_nothing_behind() {
    List<List<Integer>> seen = new ArrayList<>();
    Batcher<Integer> batcher =
        new Batcher<>(
            1,
            2,
            100,
            i -> i,
            (batch, answered) -> {
              seen.add(batch);
              answered.run();
            });

    IntStream.range(0, 3).forEach(batcher::add);

    assertThat(seen).containsExactly(List.of(0), List.of(1), List.of(2));
    assertThat(batcher.idle()).isTrue();
  }

  /** The one with threads is driven in step: what it does next never depends on their timing. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void random_items_are_batched_as_the_one_with_threads_does_it(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    BlockingQueue<List<Integer>> begun = new LinkedBlockingQueue<>();
    List<List<Integer>> natural = new ArrayList<>();
    Semaphore answers = new Semaphore(0);
    Batcher<Integer> simulated = batcher(1, 10, 300);
    NaturalBatcher<Integer> threaded =
        new NaturalBatcher<>(
            "test",
            1,
            10,
            300,
            10_000,
            i -> i,
            batch -> {
              begun.add(batch);
              answers.acquireUninterruptibly();
            });
    for (int step = 0; step < 400; step++) {
      if (underWay.isEmpty() || random.nextInt(100) < 80) {
        int item = 1 + random.nextInt(random.nextInt(20) == 0 ? 500 : 60);
        simulated.add(item);
        threaded.add(item);
      } else {
        underWay.remove().run();
        answers.release();
        if (underWay.isEmpty()) {
          threaded.awaitIdle();
        }
      }
      while (natural.size() < calls.size()) {
        List<Integer> call = begun.poll(30, TimeUnit.SECONDS);
        assertThat(call).as("after %s", natural).isNotNull();
        natural.add(call);
      }
    }
    answers.release(10_000);
    answerAll();
    threaded.close();
    begun.drainTo(natural);

    assertThat(natural).isEqualTo(calls);
    assertThat(calls)
        .anyMatch(batch -> batch.size() == 10)
        .anyMatch(batch -> batch.getFirst() > 300);
  }
}
