package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FleetWatchTest {
  private static final Work UNKNOWN = new Work.JavaCall("unknown", List.of());
  private static final Work JOB = new Work.Hpc(2, false, UNKNOWN);
  private static final Duration SOON = Duration.ofMillis(2);
  private static final Duration NEVER = Duration.ofHours(1);

  private static final int TASKS = 1_000;
  private static final int IN_BUNDLE = 10;

  private final ManualTime time = new ManualTime();
  private final Listed workers = new Listed();
  private long waiting;
  private final RunAccount account = account(Optional.of(Priority.NORMAL));

  private RunAccount account(Optional<Priority> priority) {
    return account(priority, 100);
  }

  private RunAccount account(Optional<Priority> priority, int fixedTasks) {
    RunOptions options =
        new RunOptions(
            "r",
            Consistency.EXACTLY_ONCE,
            1024,
            2,
            0,
            0,
            new BundlerSettings(fixedTasks, 250, 60 * 1024, true),
            CompletenessSettings.DEFAULT,
            LeaseSettings.DEFAULT);
    return new RunAccount(priority.map(options::with).orElse(options), "e", time);
  }

  /** Workers' entries, which can fail to be read. */
  private static final class Listed implements WorkerRegistry {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile List<WorkerEntry> entries = List.of();
    private volatile @Nullable CloudKonException failure;

    @Override
    public void put(WorkerEntry entry) {
      throw new UnsupportedOperationException("nobody writes here");
    }

    @Override
    public void remove(String id) {
      throw new UnsupportedOperationException("nobody writes here");
    }

    @Override
    public List<WorkerEntry> list() {
      reads.incrementAndGet();
      CloudKonException why = failure;
      if (why != null) {
        throw why;
      }
      return entries;
    }
  }

  private WorkerEntry worker(String id, int slots, WorkerTakes takes, long age) {
    return worker(id, slots, 0, takes, age);
  }

  private WorkerEntry worker(String id, int slots, int busy, WorkerTakes takes, long age) {
    long now = time.serviceMillis();
    return new WorkerEntry(
        id,
        "host",
        WorkerOrigin.BY_HAND,
        takes,
        "worker",
        "",
        slots,
        busy,
        0,
        0,
        0,
        0,
        now,
        now - age);
  }

  private WorkerEntry worker(String id, int slots) {
    return worker(id, slots, WorkerTakes.ALL, 0);
  }

  private FleetWatch watch(Duration every) {
    return new FleetWatch(
        workers, () -> waiting, account, () -> Set.of(Work.Kind.JAVA), () -> TASKS, time, every);
  }

  /** How many tasks of unknown time may be sent: one for each slot of the fleet. */
  private int slots(Work next) {
    return account.sending().plan(next, () -> 1_000).tasks();
  }

  @Test
  void slots_of_live_workers_are_known_before_anything_is_sent() throws Exception {
    workers.entries = List.of(worker("w1", 4), worker("w2", 8));

    try (FleetWatch watch = watch(NEVER)) {
      assertThat(slots(UNKNOWN)).isEqualTo(12);
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void workers_that_died_or_may_not_run_the_work_do_not_count() throws Exception {
    WorkerTakes others = new WorkerTakes(Set.of(Work.Kind.EXEC), true, true);
    WorkerTakes jobs = new WorkerTakes(Set.of(Work.Kind.JAVA), false, true);
    workers.entries =
        List.of(
            worker("w1", 4),
            worker("dead", 8, WorkerTakes.ALL, 60_000),
            worker("others", 16, others, 0),
            worker("jobs", 32, jobs, 0));

    try (FleetWatch watch = watch(NEVER)) {
      assertThat(slots(UNKNOWN)).isEqualTo(4);
      assertThat(slots(JOB)).isEqualTo(1);
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void fleet_that_grows_is_noticed() throws Exception {
    workers.entries = List.of(worker("w1", 4));
    try (FleetWatch watch = watch(SOON)) {
      workers.entries = List.of(worker("w1", 4), worker("w2", 4), worker("w3", 4));

      await().until(() -> slots(UNKNOWN) == 12);
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void looks_that_fail_leave_what_was_seen_and_are_repeated() throws Exception {
    workers.entries = List.of(worker("w1", 4));
    try (FleetWatch watch = watch(SOON)) {
      workers.failure = new TransientServiceException("planted", null);
      int before = workers.reads.get();
      await().until(() -> workers.reads.get() > before + 2);
      assertThat(slots(UNKNOWN)).isEqualTo(4);

      workers.entries = List.of(worker("w1", 6));
      workers.failure = null;

      await().until(() -> slots(UNKNOWN) == 6);
      assertThat(watch).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void table_that_cannot_be_read_is_asked_once(boolean missing) throws Exception {
    workers.failure =
        missing
            ? new MissingResourceException("table", "Q-workers", null)
            : new CloudKonException("access denied");

    try (FleetWatch watch = watch(SOON)) {
      assertThat(slots(UNKNOWN)).isEqualTo(1);
      assertThat(watch).isNotNull();
    }

    assertThat(workers.reads.get()).isEqualTo(1);
  }

  /** Of a client of sleeps, of which there are so many. */
  private FleetWatch watch(RunAccount of, int tasks) {
    return new FleetWatch(
        workers, () -> waiting, of, () -> Set.of(Work.Kind.SLEEP), () -> tasks, time, SOON);
  }

  /** A bundle of sleeps that is about to be sent. */
  private static SentBundle bundle(RunAccount of) throws InterruptedException {
    SentBundle bundle =
        of.sending()
            .make(
                IN_BUNDLE,
                false,
                160_000,
                (sequence, first) ->
                    new SentBundle(
                        sequence, first, IN_BUNDLE, 0, 1, List.of(), 160_000, 0, 0, 0, 0));
    of.sending().sending(bundle);
    return bundle;
  }

  @Test
  void cluster_that_is_not_fair_is_looked_at_once_as_soon_as_something_is_sent() throws Exception {
    workers.entries = List.of(worker("w1", 4));
    RunAccount alone = account(Optional.empty(), 0);
    try (FleetWatch watch = watch(alone, TASKS)) {
      SentBundle first = bundle(alone);
      assertThat(workers.reads.get()).isZero();
      alone.sending().sent(first);
      await().until(watch::over);
    }

    assertThat(workers.reads.get()).isEqualTo(1);
    assertThat(alone.sending().plan(new Work.Sleep(16), () -> 1_000).micros())
        .as("what four slots share")
        .isEqualTo(4 * 250_000);
  }

  /** Only the silence of workers that could have begun at once says that tasks are long. */
  @ParameterizedTest
  @CsvSource({"0, 10, 1", "0, 11, 16", "4, 0, 16"})
  void silence_of_workers_that_are_busy_or_have_older_work_says_nothing(
      int busy, long before, int tasks) throws Exception {
    workers.entries = List.of(worker("w1", 4, busy, WorkerTakes.ALL, 0));
    waiting = before;
    RunAccount alone = account(Optional.empty(), 0);
    try (FleetWatch watch = watch(alone, TASKS)) {
      alone.sending().sent(bundle(alone));
      await().until(watch::over);
    }

    time.advance(Duration.ofSeconds(2));

    assertThat(alone.sending().plan(UNKNOWN, () -> 1_000).tasks()).isEqualTo(tasks);
  }

  @Test
  void cluster_that_is_not_fair_is_not_looked_at_when_everything_is_in_bundles() throws Exception {
    RunAccount alone = account(Optional.empty(), 0);
    try (FleetWatch watch = watch(alone, IN_BUNDLE)) {
      SentBundle only = bundle(alone);
      alone.sending().sent(only);
      await().until(watch::over);
    }

    assertThat(workers.reads.get()).isZero();
  }

  @Test
  void cluster_that_is_not_fair_is_not_looked_at_for_bundles_of_a_fixed_size() throws Exception {
    RunAccount alone = account(Optional.empty());
    try (FleetWatch watch =
        new FleetWatch(
            workers, () -> waiting, alone, () -> Set.of(Work.Kind.JAVA), () -> TASKS, time, SOON)) {
      assertThat(watch).isNotNull();
    }

    assertThat(workers.reads.get()).isZero();
    assertThat(alone.sending().plan(UNKNOWN, () -> 1_000).tasks()).isEqualTo(100);
  }

  @Test
  void nothing_is_looked_at_once_everything_was_sent() throws Exception {
    var unused = account.collecting().allSent();

    try (FleetWatch watch = watch(SOON)) {
      await().until(watch::over);
    }

    assertThat(workers.reads.get()).isEqualTo(1);
  }
}
