package io.cloudkon.worker.execute.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PendingStartsTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  private CompletableFuture<String> start(PendingStarts starts) throws InterruptedException {
    CompletableFuture<String> started =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return starts.during(() -> {
                  begun.countDown();
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return "started";
                });
              } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
              }
            },
            work -> Thread.ofVirtual().start(work));
    begun.await();
    return started;
  }

  @Test
  void wait_ends_with_the_starts_that_began_before_and_later_ones_do_not_wait() throws Exception {
    PendingStarts starts = new PendingStarts(Duration.ofMinutes(10));
    CompletableFuture<String> first = start(starts);
    Thread waiting = Thread.ofPlatform().start(starts::awaitThoseBegun);
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

    assertThat(starts.during(() -> "later")).isEqualTo("later");
    assertThat(waiting.isAlive()).isTrue();
    go.countDown();

    waiting.join();
    assertThat(first.join()).isEqualTo("started");
  }

  @Test
  void wait_for_a_start_that_hangs_ends() throws Exception {
    PendingStarts starts = new PendingStarts(Duration.ofMillis(1));
    CompletableFuture<String> hangs = start(starts);

    starts.awaitThoseBegun();

    assertThat(hangs).isNotDone();
    go.countDown();
    assertThat(hangs.join()).isEqualTo("started");
  }
}
