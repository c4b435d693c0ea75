package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When a worker of a script, which has nothing to do, ends. */
class LifetimeTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration TICK = Duration.ofMillis(50);
  private static final long MARGIN = 2_000;
  private static final String JOB = "run/epoch/12";

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final CapacityLedger whole = cluster.hpc().ledger();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private int views;

  private Lifetime lifetime() {
    return lifetime(Runnable::run);
  }

  private Lifetime lifetime(Executor io) {
    return lifetime(LifetimeConfig.exitWhenIdle(LIMIT), true, io);
  }

  private Lifetime lifetime(LifetimeConfig config, boolean takesJobs, Executor io) {
    Cluster.Hpc hpc = new Cluster.Hpc(cluster.hpc().jobs(), cluster.hpc().ranks(), ledger());
    return new Lifetime(
        config, LifetimeBed.settings("w"), takesJobs, LifetimeBed.with(cluster, hpc), time, io);
  }

  @Test
  void worker_that_learns_late_that_it_was_launched_ends_when_it_is_idle() {
    Lifetime lifetime = lifetime(LifetimeConfig.FOR_EVER, true, Runnable::run);
    assertThat(endsWithin(lifetime, Duration.ofMinutes(5))).isFalse();

    lifetime.becomes(
        new LifetimeConfig(
            LIMIT,
            LifetimeConfig.DEFAULT_BILLING_MINIMUM,
            LifetimeConfig.DEFAULT_BILLING_PERIOD,
            LifetimeConfig.DEFAULT_RENEWAL_WINDOW,
            null,
            true));

    assertThat(endsWithin(lifetime, LIMIT.minusSeconds(1))).isFalse();
    assertThat(endsWithin(lifetime, Duration.ofSeconds(3))).isTrue();
    assertThat(lifetime.endedItself()).isTrue();
  }

  @Test
  void worker_that_learns_late_when_its_life_is_over_ends_at_once() {
    Lifetime lifetime = lifetime(LifetimeConfig.FOR_EVER, true, Runnable::run);
    assertThat(endsWithin(lifetime, Duration.ofMinutes(5))).isFalse();

    lifetime.becomes(LifetimeConfig.FOR_EVER.withMaxLifetime(Duration.ofMinutes(5)));

    assertThat(endsWithin(lifetime, Duration.ofSeconds(1))).isTrue();
  }

  /** Asks whether it is over, receives nothing from any queue, and asks again. */
  private static boolean over(Lifetime lifetime, boolean worked) {
    return lifetime.isOver(worked, false, false)
        || LifetimeBed.receiveNothing(lifetime)
        || lifetime.isOver(false, false, false);
  }

  /** The worker goes on for so long; says whether it may end by then. */
  private boolean endsWithin(Lifetime lifetime, Duration longest) {
    long begun = time.monotonicNanos();
    while (time.monotonicNanos() - begun < longest.toNanos()) {
      time.advance(TICK);
      if (over(lifetime, false)) {
        return true;
      }
    }
    return false;
  }

  private void jobWaits(int ranks, long leaseMillis) {
    long now = time.serviceMillis();
    whole.put(new Waiting(JOB, ranks, now, "other", now + leaseMillis));
  }

  @Test
  void worker_that_serves_no_jobs_ends_once_it_was_idle_for_long_enough() {
    Lifetime lifetime = lifetime(LifetimeConfig.exitWhenIdle(LIMIT), false, Runnable::run);

    time.advance(LIMIT.minus(TICK));
    assertThat(over(lifetime, false)).isFalse();
    time.advance(TICK);
    assertThat(over(lifetime, false)).isTrue();
  }

  @Test
  void work_begins_it_anew() {
    Lifetime lifetime = lifetime();
    time.advance(LIMIT.minus(TICK));
    assertThat(over(lifetime, true)).isFalse();

    assertThat(endsWithin(lifetime, LIMIT.minus(TICK))).isFalse();
    assertThat(endsWithin(lifetime, TICK.multipliedBy(2))).isTrue();
  }

  @Test
  void messages_in_hand_are_no_work_but_after_them_the_queues_are_looked_at_anew() {
    Lifetime lifetime = lifetime(LifetimeConfig.exitWhenIdle(LIMIT), false, Runnable::run);
    time.advance(LIMIT);
    assertThat(lifetime.isOver(false, true, false)).isFalse();
    assertThat(LifetimeBed.receiveNothing(lifetime)).isFalse();

    assertThat(lifetime.isOver(false, true, false)).as("it holds some").isFalse();
    assertThat(lifetime.isOver(false, false, false)).as("more may have come").isFalse();
    assertThat(LifetimeBed.receiveNothing(lifetime)).isFalse();
    assertThat(lifetime.isOver(false, false, false)).as("nothing has come").isTrue();
  }

  @Test
  void without_a_limit_it_lasts_for_ever_and_nothing_is_read() {
    Lifetime lifetime = lifetime(LifetimeConfig.FOR_EVER, true, Runnable::run);

    assertThat(endsWithin(lifetime, Duration.ofMinutes(10))).isFalse();
    assertThat(views).isZero();
  }

  @Test
  void ledger_is_read_once_before_the_end_and_not_before_that() {
    Lifetime lifetime = lifetime();

    assertThat(endsWithin(lifetime, LIMIT.minus(TICK))).isFalse();
    assertThat(views).isZero();
    assertThat(endsWithin(lifetime, TICK.multipliedBy(2))).isTrue();
    assertThat(views).isEqualTo(1);
  }

  @Test
  void worker_stays_while_a_job_waits_and_ends_a_limit_after_that() {
    Lifetime lifetime = lifetime();
    for (int i = 0; i < 20; i++) {
      jobWaits(8, 15_000);
      assertThat(endsWithin(lifetime, Duration.ofSeconds(5))).isFalse();
    }
    whole.removeWaiting(JOB, "other");

    assertThat(endsWithin(lifetime, LIMIT.plus(TICK))).isTrue();
    assertThat(views).isEqualTo(4);
  }

  /** The machine has lost the address at which others call it: the jobs' queue is left alone. */
  @Test
  void worker_that_takes_no_more_jobs_ends_though_one_waits() {
    Lifetime lifetime = lifetime();
    jobWaits(8, 600_000);
    assertThat(endsWithin(lifetime, LIMIT.plusSeconds(1))).isFalse();

    lifetime.endJobs();

    assertThat(endsWithin(lifetime, LIMIT.minusSeconds(1))).isFalse();
    time.advance(Duration.ofSeconds(2));
    boolean over = lifetime.isOver(false, false, false);
    assertThat(lifetime.tasks().begin()).isNotNull();
    lifetime.tasks().ended(0);
    assertThat(over || lifetime.isOver(false, false, false)).isTrue();
  }

  @Test
  void worker_that_takes_no_more_jobs_from_its_last_look_on_receives_tasks() {
    Lifetime lifetime = lifetime();
    time.advance(LIMIT);
    while (lifetime.tasks().begin() != null) {
      lifetime.tasks().ended(0);
      var unused = lifetime.jobs().begin();
      assertThat(lifetime.isOver(false, false, false)).isFalse();
    }

    lifetime.endJobs();

    assertThat(lifetime.isOver(false, false, false)).isFalse();
    assertThat(lifetime.tasks().begin()).isNotNull();
  }

  @Test
  void job_that_is_too_large_for_the_live_workers_counts_as_more_may_come() {
    jobWaits(4_000, 15_000 + LIMIT.toMillis());

    assertThat(endsWithin(lifetime(), LIMIT.plusSeconds(1))).isFalse();
  }

  @Test
  void job_in_dead_hands_does_not_count_once_its_lease_is_over_by_every_clock() {
    Lifetime lifetime = lifetime();
    jobWaits(8, LIMIT.toMillis() - MARGIN + 100);

    assertThat(endsWithin(lifetime, LIMIT.plusSeconds(1))).isFalse();
    assertThat(endsWithin(lifetime, LIMIT.plusSeconds(1))).isTrue();
  }

  @Test
  void reservation_counts_as_its_job_does() {
    long leaseEnd = time.serviceMillis() + 15_000 + LIMIT.toMillis();
    Reservation reservation = Reservation.of(JOB, 8, "other", leaseEnd);
    assertThat(whole.change(new LedgerChange.Reserve("t", reservation))).isTrue();

    assertThat(endsWithin(lifetime(), LIMIT.plusSeconds(1))).isFalse();
  }

  @Test
  void looks_that_find_jobs_are_as_many_as_one_per_worker_and_second() {
    for (int i = 0; i < 40; i++) {
      Share worker = Share.ofWorker("w" + i, 1, Long.MAX_VALUE / 2);
      assertThat(whole.change(new LedgerChange.Join("t" + i, worker))).isTrue();
    }
    jobWaits(8, 600_000);

    assertThat(endsWithin(lifetime(), LIMIT.plusSeconds(39))).isFalse();
    assertThat(views).isEqualTo(1);
  }

  @Test
  void ledger_that_cannot_be_read_is_asked_again_each_second_until_it_can() {
    Lifetime lifetime = lifetime();
    failure.set(new TransientServiceException("throttled", null));
    assertThat(endsWithin(lifetime, LIMIT.plusSeconds(10))).isFalse();
    assertThat(views).isBetween(9, 11);

    failure.set(null);

    assertThat(endsWithin(lifetime, Duration.ofSeconds(2))).isTrue();
  }

  @Test
  void ledger_that_cannot_be_read_for_a_minute_keeps_nobody() {
    Lifetime lifetime = lifetime();
    failure.set(new IllegalStateException("planted"));

    assertThat(endsWithin(lifetime, LIMIT.plusSeconds(59))).isFalse();
    assertThat(endsWithin(lifetime, Duration.ofSeconds(3))).isTrue();
  }

  @Test
  void cluster_that_was_torn_down_keeps_nobody() {
    failure.set(new MissingResourceException("table", "Q-ledger", null));

    assertThat(endsWithin(lifetime(), LIMIT.plus(TICK))).isTrue();
  }

  @Test
  void work_that_comes_while_the_ledger_is_read_voids_the_answer() {
    Queue<Runnable> looks = new ArrayDeque<>();
    Lifetime lifetime = lifetime(looks::add);
    time.advance(LIMIT);
    assertThat(over(lifetime, false)).isFalse();
    time.advance(TICK);
    assertThat(over(lifetime, true)).isFalse();
    assertThat(looks).hasSize(1);

    looks.remove().run();

    assertThat(endsWithin(lifetime, LIMIT.minus(TICK))).isFalse();
    assertThat(looks).isEmpty();
    assertThat(endsWithin(lifetime, Duration.ofSeconds(5))).isFalse();
    assertThat(looks).hasSize(1);
    looks.remove().run();
    assertThat(over(lifetime, false)).isTrue();
  }

  private CapacityLedger ledger() {
    return (CapacityLedger)
        Proxy.newProxyInstance(
            CapacityLedger.class.getClassLoader(),
            new Class<?>[] {CapacityLedger.class},
            (proxy, method, args) -> {
              views++;
              RuntimeException planted = failure.get();
              if (planted != null) {
                throw planted;
              }
              try {
                return method.invoke(whole, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
