package io.cloudkon.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class WatchTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Logger logger = (Logger) LoggerFactory.getLogger(Watch.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final AtomicBoolean interrupted = new AtomicBoolean();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(log);
  }

  private List<String> warnings() {
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static Watch watch(Watch.Look look) {
    return new Watch("test", Duration.ZERO, look, Duration.ZERO);
  }

  /** A look that lasts until the test lets it go on, or interrupts it. */
  private Optional<Duration> lasting() throws InterruptedException {
    looks.incrementAndGet();
    begun.countDown();
    try {
      goesOn.await();
    } catch (InterruptedException e) {
      interrupted.set(true);
      throw e;
    }
    return Optional.of(Duration.ZERO);
  }

  @Test
  void looks_follow_each_other_until_nothing_is_left_to_see() throws Exception {
    try (Watch watch =
        watch(() -> looks.incrementAndGet() < 3 ? Optional.of(Duration.ZERO) : Optional.empty())) {
      assertThat(watch.over()).isFalse();
      watch.start();
      watch.join();

      assertThat(looks).hasValue(3);
      assertThat(watch.over()).isTrue();
      assertThat(watch.stopped()).isFalse();
    }
  }

  @Test
  void look_that_fails_unexpectedly_is_followed_by_another_and_told_once() throws Exception {
    try (Watch watch =
        watch(() -> {
          switch (looks.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("first");
            case 2 -> throw new LinkageError("second");
            case 4 -> throw new IllegalStateException("fourth");
            case 5 -> {
              return Optional.empty();
            }
            default -> {}
          }
          return Optional.of(Duration.ZERO);
        })) {
      watch.start();
      watch.join();
    }

    assertThat(looks).hasValue(5);
    assertThat(warnings())
        .as("of the first and the fourth look")
        .containsExactly(
            "test failed unexpectedly and tries again in 0 ms",
            "test failed unexpectedly and tries again in 0 ms");
  }

  @Test
  void look_that_fails_is_repeated_after_the_last_pause_but_not_at_once() throws Exception {
    Duration least = Duration.ofMillis(2);
    try (Watch watch =
        new Watch(
            "test",
            Duration.ZERO,
            () ->
                switch (looks.incrementAndGet()) {
                  case 1 -> throw new IllegalStateException("after no pause");
                  case 2 -> Optional.of(Duration.ofMillis(3));
                  case 3 -> throw new IllegalStateException("after 3 ms");
                  default -> Optional.empty();
                },
            least)) {
      watch.start();
      watch.join();
    }

    assertThat(warnings())
        .containsExactly(
            "test failed unexpectedly and tries again in 2 ms",
            "test failed unexpectedly and tries again in 3 ms");
  }

  @Test
  void close_interrupts_the_look_under_way_and_waits_for_its_end() throws Exception {
    Watch watch = watch(this::lasting);
    watch.start();
    begun.await();

    watch.close();

    assertThat(watch.over()).isTrue();
    assertThat(interrupted).isTrue();
    assertThat(looks).hasValue(1);
  }

  @Test
  void failure_of_a_look_that_close_interrupts_is_not_told() throws Exception {
    Watch watch =
        watch(() -> {
          try {
            return lasting();
          } catch (InterruptedException e) {
            throw new IllegalStateException("as of a client that was interrupted", e);
          }
        });
    watch.start();
    begun.await();

    watch.close();

    assertThat(looks).hasValue(1);
    assertThat(warnings()).isEmpty();
  }

  @Test
  void close_ends_a_pause() throws Exception {
    Watch watch =
        watch(() -> {
          looks.incrementAndGet();
          begun.countDown();
          return Optional.of(LONG);
        });
    watch.start();
    begun.await();

    watch.close();

    assertThat(watch.over()).isTrue();
    assertThat(looks).hasValue(1);
  }

  @Test
  void stop_leaves_the_look_under_way_alone_and_lets_no_other_begin() throws Exception {
    Watch watch = watch(this::lasting);
    watch.start();
    begun.await();

    watch.stop();
    assertThat(watch.stopped()).isTrue();
    assertThat(watch.over()).isFalse();
    goesOn.countDown();
    watch.join();

    assertThat(interrupted).isFalse();
    assertThat(looks).hasValue(1);
  }

  @Test
  void watch_that_is_closed_before_it_starts_never_looks() throws Exception {
    Watch watch = watch(this::lasting);
    watch.close();

    watch.start();
    watch.join();

    assertThat(looks).hasValue(0);
  }
}
