package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The receive that is under way when a worker leaves. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LastReceiveTest {
  private final AtomicBoolean inHand = new AtomicBoolean(true);
  private final CountDownLatch begun = new CountDownLatch(1);

  private Thread receiving(LastReceive last) throws InterruptedException {
    Thread receiver =
        Thread.ofVirtual()
            .start(() -> {
              LastReceive.UnderWay now = last.begin();
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                last.end(now);
              }
            });
    begun.await();
    return receiver;
  }

  @Test
  void queue_whose_receives_end_at_once_is_not_waited_for() throws Exception {
    LastReceive last = new LastReceive(() -> !inHand.get(), true);
    Thread receiver = receiving(last);

    last.stop(); // with a message in hand, for which a service would be waited for

    receiver.join();
    assertThat(last.stopped()).isTrue();
  }

  @Test
  void receive_of_a_service_goes_on_while_a_message_is_in_hand() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    LastReceive last =
        new LastReceive(
            () -> {
              looks.incrementAndGet();
              return !inHand.get();
            },
            false);
    Thread receiver = receiving(last);

    last.stop();

    await().until(() -> looks.get() > 12); // more than would do without a message
    assertThat(receiver.isAlive()).isTrue();
    inHand.set(false);
    receiver.join();
  }
}
