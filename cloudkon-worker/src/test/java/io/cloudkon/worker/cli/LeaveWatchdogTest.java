package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.cli.ExitCodes;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class LeaveWatchdogTest {
  private final CountDownLatch leave = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final List<Integer> halted = new CopyOnWriteArrayList<>();

  private LeaveWatchdog watch(Duration margin) {
    return watch(margin, () -> false);
  }

  private LeaveWatchdog watch(Duration margin, BooleanSupplier endMachine) {
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
        endMachine,
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
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(89));
  }

  @Test
  void worker_that_ends_by_itself_is_not_halted() throws Exception {
    CountDownLatch leaves = new CountDownLatch(1);
    LeaveWatchdog watchdog =
        watch(
            Duration.ofHours(1),
            () -> {
              leaves.countDown();
              return false;
            });
    leave.countDown();
    leaves.await();

    watchdog.close();

    assertThat(halted).isEmpty();
  }

  @Test
  void worker_that_ends_without_having_to_leave_is_not_halted() throws Exception {
    watch(Duration.ZERO).close();

    assertThat(interrupted.getCount()).isZero();
    assertThat(halted).isEmpty();
  }

  /** A service manager would start a worker again on an instance that was to end. */
  @Test
  void instance_of_the_worker_is_ended_before_the_halt() {
    AtomicBoolean requested = new AtomicBoolean();
    LeaveWatchdog unused =
        watch(
            Duration.ofSeconds(1),
            () -> {
              assertThat(halted).isEmpty();
              requested.set(true);
              return true;
            });
    leave.countDown();
    await().until(() -> !halted.isEmpty());

    assertThat(requested).isTrue();
    assertThat(halted).containsExactly(ExitCodes.ENDED_ITSELF);
  }

  @Test
  void instance_that_cannot_be_ended_delays_no_halt() {
    CountDownLatch never = new CountDownLatch(1);
    LeaveWatchdog unused =
        watch(
            Duration.ofMillis(10),
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return true;
            });
    leave.countDown();
    await().until(() -> !halted.isEmpty());

    assertThat(halted).containsExactly(ExitCodes.SERVICE);
  }

  /** The reader of its standard error has stopped, and the pipe is full. */
  @Test
  void message_that_cannot_be_printed_delays_no_halt() {
    PrintStream before = System.err;
    CountDownLatch read = new CountDownLatch(1);
    System.setErr(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) {
                try {
                  read.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            },
            true,
            StandardCharsets.UTF_8));
    try {
      LeaveWatchdog unused = watch(Duration.ofMillis(10));
      leave.countDown();
      await().until(() -> !halted.isEmpty());
    } finally {
      System.setErr(before);
      read.countDown();
    }
  }
}
