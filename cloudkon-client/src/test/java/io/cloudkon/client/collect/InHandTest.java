package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InHandTest {
  private final InHand inHand = new InHand();

  /** The answer of a wait that has begun. */
  private CompletableFuture<Boolean> waiting() {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                ended.complete(inHand.awaitNone());
              } catch (InterruptedException e) {
                ended.completeExceptionally(e);
              }
            });
    await().until(() -> thread.getState() == Thread.State.WAITING);
    return ended;
  }

  @Test
  void wait_lasts_until_every_thread_has_taken_what_it_had() throws Exception {
    inHand.begin();
    inHand.begin();
    CompletableFuture<Boolean> ended = waiting();
    inHand.end(false);
    assertThat(ended).isNotDone();
    inHand.end(true);

    assertThat(ended.get()).isTrue();
    assertThat(inHand.awaitNone()).isFalse();
  }

  @Test
  void messages_that_went_back_before_the_wait_are_told_once() throws Exception {
    inHand.begin();
    inHand.end(true);

    assertThat(inHand.awaitNone()).isTrue();
    assertThat(inHand.awaitNone()).isFalse();
  }

  /**
   * Else a store that cannot be read, and is asked again and again, would keep a run from ending.
   */
  @Test
  void thread_that_returned_nothing_is_waited_for_and_not_told() throws Exception {
    inHand.begin();
    CompletableFuture<Boolean> ended = waiting();
    inHand.end(false);

    assertThat(ended.get()).isFalse();
  }
}
