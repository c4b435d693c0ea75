package io.cloudkon.worker.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker's entry, as others read it. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MonitorTest {
  private static final long NEVER_AGAIN = 1_000_000;
  private static final WorkerOrigin ORIGIN =
      new WorkerOrigin("token-1", "i-0abc", "c7i.large", "spot");
  private static final WorkerTakes TAKES = new WorkerTakes(Set.of(Work.Kind.SLEEP), true, false);

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final WorkerRegistry registry = cluster.workers();
  private final WorkerStats stats = new WorkerStats();
  private final AtomicBoolean draining = new AtomicBoolean();

  private Monitor monitor(long everyMillis) {
    return new Monitor(
        cluster, stats, time, "w", ORIGIN, () -> TAKES, 4, everyMillis, draining::get);
  }

  private WorkerEntry entry() {
    return registry.list().getFirst();
  }

  @Test
  void entry_is_there_at_once_and_says_where_the_worker_comes_from_and_what_it_takes()
      throws Exception {
    try (Monitor monitor = monitor(NEVER_AGAIN)) {
      await().until(() -> !registry.list().isEmpty());

      assertThat(monitor).isNotNull();
      assertThat(entry().origin()).isEqualTo(ORIGIN);
      assertThat(entry().takes()).isEqualTo(TAKES);
      assertThat(entry().notice()).isEmpty();
      assertThat(entry().slots()).isEqualTo(4);
    }
    assertThat(registry.list()).isEmpty();
  }

  @Test
  void entry_follows_what_becomes_of_the_worker() throws Exception {
    try (Monitor monitor = monitor(1)) {
      assertThat(monitor).isNotNull();
      stats.notice("interruption");
      draining.set(true);

      // The registry keeps the newer entry: time must go on.
      await()
          .until(() -> {
            time.advanceMillis(1);
            return !registry.list().isEmpty()
                && entry().notice().equals("interruption")
                && entry().role().equals("draining");
          });
    }
  }

  /** A timed call's timer may interrupt a thread just after its call has succeeded. */
  @Test
  void late_interrupt_does_not_end_it() throws Exception {
    Supplier<WorkerTakes> interrupting =
        () -> {
          Thread.currentThread().interrupt();
          return TAKES;
        };
    try (Monitor monitor =
        new Monitor(cluster, stats, time, "w", ORIGIN, interrupting, 4, 1, draining::get)) {
      assertThat(monitor).isNotNull();
      await().until(() -> !registry.list().isEmpty());
      long first = entry().updatedMillis();

      await()
          .until(() -> {
            time.advanceMillis(1);
            return entry().updatedMillis() > first + 2;
          });
    }
  }

  @Test
  void what_was_finished_rides_in_the_entry_and_is_handed_in_at_the_end() throws Exception {
    assertThat(cluster.runs().create(run())).isTrue();
    try (Monitor monitor = monitor(1)) {
      assertThat(monitor).isNotNull();
      stats.finished("run", 5, 2);
      stats.finished("gone", 3, 0);

      await()
          .until(() -> {
            time.advanceMillis(1);
            return !registry.list().isEmpty() && entry().finished().size() == 2;
          });
      assertThat(entry().finished().get("run").tasks()).isEqualTo(5);
      assertThat(cluster.runs().read("run").orElseThrow().handedIn().tasks()).isZero();
    }

    assertThat(cluster.runs().read("run").orElseThrow().handedIn())
        .isEqualTo(new FinishedTasks(5, 2, 0));
  }

  private RunEntry run() {
    long now = time.serviceMillis();
    return new RunEntry(
        "run",
        "epoch",
        RunEntry.State.OPEN,
        Consistency.EXACTLY_ONCE,
        "queue",
        "holder",
        "host",
        now,
        "",
        8,
        8,
        Map.of(),
        RemainingWork.UNKNOWN,
        now,
        now);
  }
}
