package io.cloudkon.worker.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FetchingTest {
  private static final int MANY = 1_000;

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger threads = new AtomicInteger();
  private final Fetching fetching =
      new Fetching(
          new BackOff(1, 1, new Random(1)),
          work -> {
            threads.incrementAndGet();
            return Thread.ofPlatform().daemon().unstarted(work);
          });

  private Stream<CompletableFuture<Integer>> start() {
    return IntStream.range(0, MANY)
        .mapToObj(i ->
            fetching.start(() -> {
              running.incrementAndGet();
              go.await();
              return i;
            }));
  }

  @Test
  void many_fetches_share_a_fixed_number_of_threads() throws Exception {
    var all = start().toList();
    await().until(() -> running.get() == Fetching.THREADS);
    assertThat(threads).hasValue(Fetching.THREADS);

    go.countDown();

    assertThat(all.stream().mapToInt(CompletableFuture::join).sum())
        .isEqualTo(MANY * (MANY - 1) / 2);
    assertThat(threads).hasValue(Fetching.THREADS);
    fetching.close();
  }

  @Test
  void fetches_that_wait_for_their_turn_are_given_up_at_the_end() throws Exception {
    var all = start().toList();
    await().until(() -> running.get() == Fetching.THREADS);

    fetching.close();

    assertThat(all).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
    assertThat(running).hasValue(Fetching.THREADS);
    assertThat(fetching.start(() -> 1)).isCompletedExceptionally();
  }
}
