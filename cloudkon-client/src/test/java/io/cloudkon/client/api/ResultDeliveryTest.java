package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResultDeliveryTest {
  private static final BundleTimes TIMES = BundleTimes.withoutWorker(0, 0, 0, 0);

  private final List<Integer> heard = new ArrayList<>();

  private static TaskResult result(int ordinal, byte[] output) {
    byte[] none = new byte[0];
    return new TaskResult(
        ordinal,
        Integer.toString(ordinal + 1),
        TaskStatus.SUCCEEDED,
        0,
        none,
        0,
        none,
        0,
        output,
        output.length,
        "",
        0,
        0,
        1,
        List.of());
  }

  @Test
  void listener_that_does_not_return_holds_up_who_collects() throws Exception {
    heldUp(ResultDelivery.MOST, i -> result(i, new byte[0]));
  }

  @Test
  void few_large_outputs_hold_up_who_collects() throws Exception {
    byte[] output = new byte[(int) (ResultDelivery.MOST_BYTES / 4)];
    heldUp(4, i -> result(i, output));
  }

  @Test
  void what_few_ranks_have_printed_holds_up_who_collects() throws Exception {
    byte[] printed = new byte[(int) (ResultDelivery.MOST_BYTES / 16) - 1_000];
    List<RankResult> ranks =
        List.of(
            new RankResult(0, "w", 0, printed, printed),
            new RankResult(1, "w", 0, printed, printed));
    byte[] none = new byte[0];
    heldUp(4, i -> result(i, none).withOutputs(none, none, none, ranks));
  }

  @Test
  void names_of_many_files_hold_up_who_collects() throws Exception {
    int each = 1_000;
    String name = "x".repeat((int) (ResultDelivery.MOST_BYTES / 4 / each) - 200);
    List<CollectedFiles.Named> names = Collections.nCopies(each, new CollectedFiles.Named(name, 1));
    CollectedFiles files = new CollectedFiles("k", each, each, List.of(), 0, names, "");
    heldUp(4, i -> result(i, new byte[0]).with(files));
  }

  /**
   * One result is with the listener, so many wait, and who brings the next waits for the listener.
   */
  private void heldUp(int waiting, IntFunction<TaskResult> results) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger accepted = new AtomicInteger();
    ResultDelivery delivery =
        new ResultDelivery(
            new OpenTasks(1),
            result -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              heard.add(result.index());
            });
    int all = waiting + 5;
    Thread collecting =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < all; i++) {
                delivery.accept(TIMES, "w", 1, results.apply(i), 0);
                accepted.incrementAndGet();
              }
            });
    try {
      await()
          .until(
              () -> accepted.get() == waiting + 1 && collecting.getState() == Thread.State.WAITING);
    } finally {
      go.countDown();
    }
    collecting.join();
    delivery.close();
    assertThat(heard).containsExactlyElementsOf(IntStream.range(0, all).boxed().toList());
  }

  /** A listener in Kotlin or Scala may throw what no Java compiler lets it declare. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable e) throws E {
    throw (E) e;
  }

  @Test
  void listener_that_throws_anything_or_leaves_an_interrupt_loses_no_result() throws Exception {
    List<Boolean> interrupted = new ArrayList<>();
    OpenTasks open = new OpenTasks(2);
    open.reserve(2, false);
    List<CompletableFuture<SessionResult>> futures =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    IntStream.range(0, 2).forEach(i -> open.add(i, futures.get(i)));
    ResultDelivery delivery =
        new ResultDelivery(
            open,
            result -> {
              interrupted.add(Thread.currentThread().isInterrupted());
              Thread.currentThread().interrupt();
              ResultDeliveryTest.<RuntimeException>sneak(new Exception("planted"));
            });
    for (int i = 0; i < 2; i++) {
      delivery.accept(TIMES, "w", 1, result(i, new byte[0]), 0);
    }
    delivery.close();

    assertThat(futures.getFirst().get(20, TimeUnit.SECONDS).index()).isZero();
    assertThat(futures.getLast().get(20, TimeUnit.SECONDS).index()).isEqualTo(1);
    assertThat(interrupted).containsExactly(false, false);
  }

  @Test
  void listener_that_never_returns_holds_up_nobody_who_is_in_a_hurry() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    OpenTasks open = new OpenTasks(2);
    open.reserve(2, false);
    List<CompletableFuture<SessionResult>> futures =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    IntStream.range(0, 2).forEach(i -> open.add(i, futures.get(i)));
    ResultDelivery delivery =
        new ResultDelivery(
            open,
            result -> {
              heard.add(result.index());
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    for (int i = 0; i <= ResultDelivery.MOST; i++) {
      delivery.accept(TIMES, "w", 1, result(i, new byte[0]), 0);
    }
    delivery.hurry();

    delivery.accept(TIMES, "w", 1, result(ResultDelivery.MOST + 1, new byte[0]), 0);
    delivery.close();

    assertThat(interrupted.get()).isTrue();
    assertThat(heard).containsExactly(0);
    assertThat(futures.getFirst().get().index()).isZero();
    assertThat(futures.getLast()).isNotDone();
    assertThat(open.abandon()).containsExactly(futures.getLast());
  }
}
