package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import io.cloudkon.worker.monitor.WorkerStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole workers that end themselves, and what comes at the last moment. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class WorkerLastLookTest {
  private static final Duration IDLE = Duration.ofMillis(2_500);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path temp;

  private WorkerBed bed() throws Exception {
    return new WorkerBed(
        Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }

  private static LifetimeConfig ofFleet(Duration maxLifetime) {
    return new LifetimeConfig(
        IDLE, Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1), maxLifetime, true);
  }

  private static WorkerService start(WorkerBed bed, Cluster cluster, LifetimeConfig lifetime) {
    return bed.workerOf(cluster, lifetime, new WorkerStats());
  }

  @Test
  void idle_worker_of_a_fleet_ends_itself_soon_after_its_idle_timeout() throws Exception {
    try (WorkerBed bed = bed()) {
      Watched watched = new Watched(bed.reliable.requests());
      WorkerService worker = start(bed, watched.in(bed.reliable), ofFleet(null));

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.failed()).isFalse();
      assertThat(worker.lifetime().endedItself()).isTrue();
      assertThat(watched.waits).allMatch(wait -> wait.compareTo(IDLE) <= 0);
      assertThat(watched.waits.stream().reduce(Duration.ZERO, Duration::plus))
          .as("the time that it takes however slow the machine is")
          .isLessThan(IDLE.plusSeconds(5));
      assertThat(watched.waits.getLast()).isEqualTo(Duration.ofSeconds(1));
      assertThat(watched.interrupted).isEmpty();
    }
  }

  @Test
  void bundle_that_comes_with_the_last_look_is_run() throws Exception {
    try (WorkerBed bed = bed()) {
      Watched watched = new Watched(bed.reliable.requests());
      // The first receives end no later than the idle timeout; one that waits for 1 s began after.
      watched.before(Duration.ofSeconds(1), () -> bed.send(5, "fine"));
      WorkerService worker = start(bed, watched.in(bed.reliable), ofFleet(null));

      assertThat(worker.awaitEnd(LIMIT)).isTrue();

      assertThat(bed.awaitResults().values())
          .hasSize(5)
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED));
      bed.awaitClaimsDone();
      assertThat(worker.lifetime().endedItself()).isTrue();
    }
  }

  @Test
  void bundle_that_comes_as_the_worker_leaves_is_hidden_from_nobody() throws Exception {
    try (WorkerBed bed = bed()) {
      WorkerService worker = start(bed, bed.reliable, ofFleet(null));
      await().pollInterval(Duration.ofMillis(1)).until(worker.lifetime()::endedItself);

      bed.send(5, "fine");

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(bed.reliable.requests().depth()).isEqualTo(new QueueDepth(1, 0, 0));
    }
  }

  @Test
  void worker_of_a_script_did_not_end_itself() throws Exception {
    try (WorkerBed bed = bed()) {
      WorkerService worker = start(bed, bed.reliable, LifetimeConfig.exitWhenIdle(IDLE));

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.lifetime().endedItself()).isFalse();
    }
  }

  @Test
  void worker_that_is_told_to_leave_did_not_end_itself() throws Exception {
    try (WorkerBed bed = bed()) {
      WorkerService worker = start(bed, bed.reliable, ofFleet(null));

      worker.drain();

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.lifetime().endedItself()).isFalse();
    }
  }

  @Test
  void worker_with_work_in_hand_drains_at_the_end_of_its_life() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.send(1, "deaf");
      bed.sendWork(List.of(new Work.Sleep(600_000)), 0);
      WorkerService worker =
          start(bed, bed.reliable, LifetimeConfig.FOR_EVER.withMaxLifetime(Duration.ofSeconds(8)));
      await().until(() -> worker.stats().busy() == 2);
      await().until(worker.lifetime()::endedItself);

      Witness.release(bed.name(0));

      await().atMost(LIMIT).until(() -> bed.resultsSoFar() == 1);
      // What runs may go on for as long as the drain timeout; here it is told to hurry.
      assertThat(worker.awaitEnd(Duration.ofSeconds(1))).isFalse();
      worker.drainWithin(Duration.ZERO);
      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.failed()).isFalse();
      assertThat(bed.reliable.requests().depth().waiting()).isEqualTo(1);
    }
  }

  /** A queue that says how long its receives may wait, and which were cut short. */
  private static final class Watched implements RequestQueue {
    final List<Duration> waits = new CopyOnWriteArrayList<>();
    final List<Duration> interrupted = new CopyOnWriteArrayList<>();
    private final RequestQueue whole;
    private Duration trigger = Duration.ZERO;
    private Runnable action = () -> {};

    Watched(RequestQueue whole) {
      this.whole = whole;
    }

    /** Before the first receive that may wait for no longer than this, does something, once. */
    void before(Duration wait, Runnable what) {
      trigger = wait;
      action = what;
    }

    Cluster in(Cluster cluster) {
      return new Cluster(
          cluster.name(),
          this,
          cluster.dead(),
          cluster.responses(),
          cluster.claims(),
          cluster.workers(),
          cluster.runs(),
          cluster.decisions(),
          cluster.blobs(),
          cluster.hpc());
    }

    @Override
    public String name() {
      return whole.name();
    }

    @Override
    public List<BatchFailure> send(List<OutgoingMessage> batch) {
      return whole.send(batch);
    }

    @Override
    public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
        throws InterruptedException {
      waits.add(wait);
      if (wait.compareTo(trigger) <= 0) {
        trigger = Duration.ZERO;
        action.run();
      }
      try {
        return whole.receive(max, wait, visibility);
      } catch (InterruptedException e) {
        interrupted.add(wait);
        throw e;
      }
    }

    @Override
    public List<BatchFailure> delete(List<String> handles) {
      return whole.delete(handles);
    }

    @Override
    public void changeVisibility(String handle, Duration visibility) {
      whole.changeVisibility(handle, visibility);
    }

    @Override
    public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
      return whole.changeVisibilities(batch);
    }

    @Override
    public QueueDepth depth() {
      return whole.depth();
    }
  }
}
