package io.cloudkon.worker.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.notice.Notice;
import io.cloudkon.core.protocol.notice.NoticeMachine;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.FakeImds.Mood;
import io.cloudkon.core.testing.FastTime;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.imds.InstanceOrigin;
import io.cloudkon.worker.imds.MetadataService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NoticeWatchTest {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final String ACTION = "spot/instance-action";

  private final FakeImds imds = new FakeImds().set("instance-id", "i-1");
  private final MetadataService service = new MetadataService(imds.endpoint(), PATIENCE);
  private final InstanceOrigin origin = new InstanceOrigin(WorkerOrigin.BY_HAND, service);

  /** Ten seconds are two: a poll that a busy machine delays by seconds is still early enough. */
  private final TimeSource time = new FastTime(5);

  private final WorkerRegistry registry = new MemoryCloud(time).setup("Q").workers();
  private final Told told = new Told();
  private @Nullable NoticeWatch watch;

  /** What the worker was told. */
  private static final class Told implements NoticeWatch.Leaver {
    final List<Notice> notices = new CopyOnWriteArrayList<>();
    final List<WorkerOrigin> origins = new CopyOnWriteArrayList<>();
    final List<Duration> drains = new CopyOnWriteArrayList<>();

    @Override
    public void announce(Notice notice) {
      notices.add(notice);
    }

    @Override
    public void comesFrom(WorkerOrigin where) {
      origins.add(where);
    }

    @Override
    public void drainWithin(Duration longest) {
      drains.add(longest);
    }
  }

  private NoticeWatch watch(WorkerRegistry workers) {
    NoticeWatch started =
        new NoticeWatch(
            service,
            origin,
            WorkerOrigin.BY_HAND,
            new NoticeMachine("me", 90_000),
            workers,
            told,
            time,
            Duration.ofSeconds(1));
    watch = started;
    return started;
  }

  @AfterEach
  void close() throws Exception {
    if (watch != null) {
      watch.close();
    }
    service.close();
    imds.close();
  }

  /** A call to the service may take its time limit twice on a busy machine, which is 4 s. */
  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  private void interruptIn(long millis) {
    imds.set(
        ACTION,
        "{\"action\":\"terminate\",\"time\":\"%s\"}"
            .formatted(Instant.ofEpochMilli(time.serviceMillis() + millis)));
  }

  private void register(String id) {
    long now = time.serviceMillis();
    registry.put(
        new WorkerEntry(
            id,
            "host",
            WorkerOrigin.BY_HAND,
            WorkerTakes.ALL,
            "worker",
            "",
            1,
            0,
            0,
            0,
            0,
            0,
            now,
            now + 600_000));
  }

  @Test
  void interruption_drains_the_worker_in_time() {
    NoticeWatch started = watch(registry);
    await().until(() -> imds.asked("GET /latest/meta-data/" + ACTION) > 1);
    assertThat(started.leaves()).isEqualTo(Notice.NONE);

    interruptIn(120_000);

    await().until(() -> !told.drains.isEmpty());
    assertThat(told.drains.getFirst()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(90));
    assertThat(told.notices).containsExactly(Notice.INTERRUPTION);
    assertThat(started.leaves()).isEqualTo(Notice.INTERRUPTION);
  }

  @Test
  void recommendation_is_announced_and_followed_once_another_worker_has_come() {
    register("old");
    imds.set("events/recommendations/rebalance", "{\"noticeTime\":\"2026-11-22T08:20:00Z\"}");
    NoticeWatch started = watch(registry);
    await().until(() -> told.notices.contains(Notice.REBALANCE));
    assertThat(started.leaves()).isEqualTo(Notice.NONE);

    register("new");

    await().until(() -> !told.drains.isEmpty());
    assertThat(started.leaves()).isEqualTo(Notice.REBALANCE);
  }

  @Test
  void service_that_hangs_is_asked_on_and_where_the_worker_comes_from_is_told_later() {
    imds.is(Mood.HANGS);
    NoticeWatch started = watch(registry);
    await().until(() -> imds.asked().size() >= 3);
    assertThat(told.notices).isEmpty();
    assertThat(started.leaves()).isEqualTo(Notice.NONE);

    imds.is(Mood.WELL);
    interruptIn(120_000);

    await().until(() -> !told.drains.isEmpty());
    await().until(() -> !told.origins.isEmpty());
    assertThat(told.origins).containsExactly(new WorkerOrigin("", "i-1", "", ""));
  }

  /** The start of a worker asks twice: at once, and whether its instance was launched for it. */
  @Test
  void what_was_learned_after_the_report_and_before_the_watch_is_told_as_well() {
    await().until(() -> origin.complete(InstanceOrigin.START_LIMIT));

    watch(registry);

    await().until(() -> !told.origins.isEmpty());
    assertThat(told.origins).containsExactly(new WorkerOrigin("", "i-1", "", ""));
  }

  @Test
  void registry_that_does_not_answer_hides_no_interruption() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    imds.set("events/recommendations/rebalance", "{\"noticeTime\":\"2026-11-22T08:20:00Z\"}");
    NoticeWatch started = watch(new Hanging(asked));
    asked.await();

    interruptIn(120_000);

    await().until(() -> !told.drains.isEmpty());
    assertThat(started.leaves()).isEqualTo(Notice.INTERRUPTION);
  }

  /** It answers nobody who is not interrupted. */
  private record Hanging(CountDownLatch asked) implements WorkerRegistry {
    @Override
    public void put(WorkerEntry entry) {}

    @Override
    public void remove(String worker) {}

    @Override
    public List<WorkerEntry> list() {
      asked.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("interrupted");
    }
  }
}
