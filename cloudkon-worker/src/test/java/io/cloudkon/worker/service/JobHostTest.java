package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.Backlog;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.lifetime.Polls;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What gangs ask of their worker, and whom it tells. */
@Timeout(60)
class JobHostTest {
  private static final int SLOTS = 4;

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final RequestQueue queue = cluster.hpc().jobs();
  private final List<WorkerEvent> worker = new CopyOnWriteArrayList<>();
  private final List<WorkerEvent> manager = new CopyOnWriteArrayList<>();
  private final Later later = new Later();
  private final BackOff backOff = new BackOff(1, 1, new Random(1));
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final TaskRunner runner =
      new TaskRunner(RunnerConfig.DEFAULT, handlers, () -> Instant.EPOCH, task -> {});
  private final Pulse pulse = new Pulse(time, 2_000);
  private final Inputs inputs =
      new Inputs(cluster.blobs(), runner, 1_000_000, pulse, backOff, () -> false);
  private final WorkerHealth health =
      new WorkerHealth(HealthSettings.DEFAULT, time, Runnable::run, effect -> {});
  private final WorkerStats stats = new WorkerStats();
  private final Backlog backlog = new Backlog();
  private final FreeSlots freeSlots = new FreeSlots();
  private final Pipeline pipeline = pipeline();
  private final Map<Long, BundleInHand> jobs = pipeline.inHand();
  private final JobHost host =
      new JobHost(
          runner, health, inputs, stats, freeSlots, worker::add, pipeline, backlog, () -> {});

  private Pipeline pipeline() {
    WorkerSettings settings =
        new WorkerSettings(
            "w", SLOTS, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
    ReplyRoutes routes = new ReplyRoutes();
    SharedParts parts =
        new SharedParts(
            new WorkerConfig(settings, RunnerConfig.DEFAULT, Duration.ZERO, null, null),
            cluster,
            time,
            new ResultBatch.WorkerId("w", SLOTS, 0),
            new RunStates(cluster.runs(), routes, time),
            routes,
            new CallMeter(List::of),
            stats,
            later,
            backOff,
            Runnable::run);
    return Pipeline.ofJobs(
        parts, manager::add, Polls.ofQueues(1).getFirst(), backlog::gatherMillis);
  }

  @AfterEach
  void close() throws Exception {
    host.close();
    inputs.close();
    runner.close();
    later.close();
    handlers.close();
  }

  private void send(String run) {
    queue.send(List.of(BundleMessages.of(Bundles.bundle(run, 0))));
  }

  /** So many other jobs are in hand. */
  private void inHand(int others) {
    for (int i = 1; i <= others; i++) {
      jobs.put((long) -i, Bundles.inHand("other", i, "handle"));
    }
  }

  @Test
  void gangs_have_what_the_worker_has() {
    assertThat(host.runner()).isSameAs(runner);
    assertThat(host.inputs()).isSameAs(inputs);
    assertThat(host.stats()).isSameAs(stats);
    assertThat(host.backlog()).isSameAs(backlog);
  }

  @Test
  void free_slots_are_those_of_this_moment() {
    assertThat(host.freeSlots()).isZero();
    assertThat(host.slotsSoon()).isZero();

    var unused = freeSlots.set(1);
    freeSlots.expect(2);

    assertThat(host.freeSlots()).isEqualTo(1);
    assertThat(host.slotsSoon()).isEqualTo(2);
  }

  @Test
  void slots_to_keep_are_asked_of_the_worker_and_not_of_the_manager() {
    host.keepSlots(7, 3);

    assertThat(worker).containsExactly(new WorkerEvent.KeepSlots(7, 3));
    assertThat(manager).isEmpty();
  }

  @Test
  void change_lets_the_worker_look() {
    host.changed();

    assertThat(worker).containsExactly(new WorkerEvent.Tick());
    assertThat(manager).isEmpty();
  }

  @Test
  void received_job_is_told_to_the_manager_and_not_to_the_worker() {
    Bundles.open(cluster, "r");
    send("r");

    host.receive(1);

    assertThat(manager)
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerEvent.Received.class,
            received -> assertThat(received.bundles()).extracting("key").containsExactly(0L));
    assertThat(worker).isEmpty();
  }

  @Test
  void job_of_a_run_that_is_over_hears_of_it_after_its_arrival_was_told() {
    send("over");

    host.receive(1);

    assertThat(manager).hasSize(2);
    assertThat(manager.getFirst()).isInstanceOf(WorkerEvent.Received.class);
    assertThat(manager.getLast())
        .isEqualTo(new WorkerEvent.OfBundle(0, new BundleEvent.RunClosed()));
  }

  @Test
  void nothing_is_received_while_too_many_jobs_are_in_hand() {
    Bundles.open(cluster, "r");
    send("r");
    inHand(105);

    host.receive(1);

    assertThat(manager).containsExactly(new WorkerEvent.ReceiveFailed());
    assertThat(queue.depth().waiting()).isEqualTo(1);
  }

  @Test
  void jobs_are_received_up_to_that() {
    Bundles.open(cluster, "r");
    send("r");
    inHand(104);

    host.receive(1);

    assertThat(jobs).hasSize(105);
  }

  @Test
  void receive_that_waits_ends_once_no_more_is_to_come() throws Exception {
    Thread receiver = Thread.ofVirtual().start(() -> host.receive(1));
    await().until(() -> receiver.getState() == Thread.State.TIMED_WAITING);

    host.stopReceiving();

    assertThat(receiver.join(Duration.ofSeconds(10))).isTrue();
    assertThat(manager).containsExactly(new WorkerEvent.ReceiveFailed());
  }

  @Test
  void nothing_is_received_after_that() {
    Bundles.open(cluster, "r");
    send("r");
    host.stopReceiving();

    host.receive(1);

    assertThat(manager).containsExactly(new WorkerEvent.ReceiveFailed());
    assertThat(queue.depth().waiting()).isEqualTo(1);
  }

  @Test
  void effects_of_jobs_go_to_the_queue_of_jobs() {
    Bundles.open(cluster, "r");
    send("r");
    host.receive(1);
    BundleInHand job = jobs.get(0L);
    assertThat(queue.depth().waiting()).isZero();

    host.carryOut(job, new BundleEffect.PutBack(0));

    assertThat(queue.depth().waiting()).isEqualTo(1);
    host.carryOut(job, new BundleEffect.Kill());
    assertThat(job.abandoned()).isTrue();
  }

  @Test
  void what_comes_after_the_end_does_no_harm() throws Exception {
    BundleInHand job = Bundles.inHand("r", 0, "handle");
    host.close();

    assertThatCode(() -> host.carryOut(job, new BundleEffect.DeleteMessage()))
        .doesNotThrowAnyException();
  }
}
