package io.cloudkon.client.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StatusWatchTest {
  private static final ClusterStatus STATUS = Clusters.cluster(2, List.of(Clusters.run("r1")));

  private final Paper paper = new Paper();

  /** Keeps what was drawn last. */
  private static final class Paper implements Display {
    private volatile String drawn = "";

    @Override
    public Size size() {
      return new Size(24, 80);
    }

    @Override
    public void draw(List<String> lines) {
      drawn = String.join("\n", lines);
    }
  }

  private StatusWatch watch(Supplier<ClusterStatus> read) {
    return new StatusWatch(read, paper, "Q", Duration.ofMillis(10), System::nanoTime);
  }

  private static CompletableFuture<Void> start(StatusWatch watch) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            watch.run();
            ended.complete(null);
          } catch (InterruptedException | RuntimeException e) {
            ended.completeExceptionally(e);
          }
        });
    return ended;
  }

  @Test
  void status_is_read_and_drawn_again_and_again_until_it_is_stopped() {
    AtomicInteger reads = new AtomicInteger();
    StatusWatch watch =
        watch(() -> {
          reads.incrementAndGet();
          return STATUS;
        });
    CompletableFuture<Void> ended = start(watch);

    await().until(() -> reads.get() >= 3);
    await().until(() -> paper.drawn.contains("r1"));
    assertThat(paper.drawn).contains("cloudkon status -s Q, every 10ms", "w001", "r1");

    watch.stop();
    assertThat(ended).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void failure_is_shown_beside_the_last_numbers_and_goes_away() {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch mended = new CountDownLatch(1);
    StatusWatch watch =
        watch(() -> {
          if (reads.incrementAndGet() > 1 && mended.getCount() > 0) {
            throw new CloudKonException("SQS cannot be reached");
          }
          return STATUS;
        });
    CompletableFuture<Void> ended = start(watch);

    await().until(() -> paper.drawn.contains("SQS cannot be reached"));
    assertThat(paper.drawn).contains("NO ANSWER for ", "w001");

    mended.countDown();
    await().until(() -> !paper.drawn.contains("NO ANSWER"));
    watch.stop();
    assertThat(ended).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void service_that_hangs_stops_neither_the_screen_nor_its_end() {
    CountDownLatch never = new CountDownLatch(1);
    StatusWatch watch =
        watch(() -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new CloudKonException("interrupted");
        });
    CompletableFuture<Void> ended = start(watch);

    await().until(() -> paper.drawn.matches("(?s).*NO ANSWER for [1-9]\\d* s; trying again.*"));
    watch.stop();
    assertThat(ended).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void mistake_of_ours_ends_it() {
    StatusWatch watch =
        watch(() -> {
          throw new IllegalArgumentException("bug");
        });

    assertThatThrownBy(watch::run).hasRootCauseMessage("bug");
  }
}
