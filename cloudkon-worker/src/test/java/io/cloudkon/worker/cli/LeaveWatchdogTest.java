package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.cli.ExitCodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeaveWatchdogTest {
  private final CountDownLatch leave = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final List<Integer> halted = new CopyOnWriteArrayList<>();

  private LeaveWatchdog watch(Duration margin) {
    return LeaveWatchdog.start(
        () -> {
          try {
            leave.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        },
        margin,
        halted::add);
  }

  @Test
  void worker_that_must_leave_and_does_not_end_is_halted_after_the_margin() {
    LeaveWatchdog unused = watch(Duration.ofMillis(100));
    assertThat(halted).isEmpty();

    long begun = System.nanoTime();
    leave.countDown();
    await().until(() -> !halted.isEmpty());

    assertThat(halted).containsExactly(ExitCodes.SERVICE);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(99));
  }

  @Test
  void worker_that_ends_by_itself_is_not_halted() throws Exception {
    watch(Duration.ZERO).close();

    interrupted.await();
    leave.countDown();
    assertThat(halted).isEmpty();
  }
}
