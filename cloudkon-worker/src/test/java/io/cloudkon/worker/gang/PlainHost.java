package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.claim.ClaimCaller;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.Runs;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.lifetime.Polls;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.source.QueueReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A worker without tasks: all its slots are for ranks, as far as it is told to give them. */
final class PlainHost implements GangHost {
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final int slots;
  private final Cluster cluster;
  private final GangInbox inbox;
  private final Executor io;
  private final Map<String, TaskResult> results;
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final TaskRunner runner = new TaskRunner(Runs.CONFIG, handlers, Instant::now, task -> {});
  private final WorkerStats stats = new WorkerStats();
  private final Backlog backlog = new Backlog();
  private final Inputs inputs;
  private final ClaimCaller claims;
  private final QueueReader source;
  private final AtomicReference<@Nullable Thread> receiving = new AtomicReference<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile boolean stopped;
  private volatile int kept;

  /** Jobs in hand, by key. */
  final Map<Long, BundleInHand> jobs = new ConcurrentHashMap<>();

  /** How long each job's result might have waited for others, when it was to be sent. */
  final Map<String, Long> gathered = new ConcurrentHashMap<>();

  /** Slots that it has, but does not give. */
  volatile int withheld;

  /** Whether it receives jobs. */
  volatile boolean manages = true;

  /** Told when other slots may be free than before. */
  volatile Runnable slotsChanged = () -> {};

  /**
   * For one service.
   *
   * @param results where it sends them, by job
   */
  PlainHost(
      int slots,
      Cluster cluster,
      BlobStore blobs,
      TimeSource time,
      GangInbox inbox,
      Pulse pulse,
      Later later,
      BackOff backOff,
      Executor io,
      Map<String, TaskResult> results) {
    this.slots = slots;
    this.cluster = cluster;
    this.inbox = inbox;
    this.io = io;
    this.results = results;
    this.inputs = new Inputs(blobs, runner, 1_000_000, pulse, backOff, () -> stopped);
    this.claims = new ClaimCaller(cluster.claims(), "w", time, inbox, later, backOff, io);
    this.source =
        new QueueReader(
            cluster.hpc().jobs(),
            time,
            LEASE,
            inbox,
            job -> {
              jobs.put(job.key(), job);
              return true;
            },
            (message, why) -> {},
            Polls.ofQueues(1).getFirst());
  }

  @Override
  public TaskRunner runner() {
    return runner;
  }

  @Override
  public Health health() {
    return (suspicion, probe) -> false;
  }

  @Override
  public Inputs inputs() {
    return inputs;
  }

  @Override
  public WorkerStats stats() {
    return stats;
  }

  /** Whether it gives them or not. */
  @Override
  public int freeSlots() {
    return slots - kept;
  }

  /** Its slots run no tasks. */
  @Override
  public int slotsSoon() {
    return 0;
  }

  @Override
  public void keepSlots(long question, int wanted) {
    kept = Math.min(wanted, slots - withheld);
    inbox.slotsKept(question, kept, 0);
    slotsChanged.run();
  }

  @Override
  public void receive(int max) {
    receiving.set(Thread.currentThread());
    if (stopped || !manages) {
      awaitStop();
      inbox.post(new WorkerEvent.ReceiveFailed());
    } else {
      List<BundleInHand> unused = source.receive(max);
    }
    receiving.compareAndSet(Thread.currentThread(), null);
  }

  private void awaitStop() {
    try {
      stop.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stopReceiving() {
    stopped = true;
    stop.countDown();
    Thread receiver = receiving.get();
    if (receiver != null) {
      receiver.interrupt();
    }
  }

  @Override
  public void carryOut(BundleInHand job, BundleEffect effect) {
    long key = job.key();
    switch (effect) {
      case BundleEffect.CallClaims call -> claims.call(job, call.call());
      case BundleEffect.SendResults send -> {
        gathered.put(job.header().bundle(), backlog.gatherMillis());
        results.put(job.header().bundle(), job.results(send.tasks()).getFirst());
        inbox.post(key, new BundleEvent.ResultsAccepted(send.tasks()));
      }
      case BundleEffect.SendLost lost -> accepted(key, lost.tasks());
      case BundleEffect.SendFailed failed -> accepted(key, failed.tasks());
      case BundleEffect.SendDead dead -> inbox.post(key, new BundleEvent.DeadAccepted());
      case BundleEffect.SendChild child ->
          inbox.post(key, new BundleEvent.ChildAccepted(child.k()));
      case BundleEffect.ExtendVisibility extend -> hide(job, extend.millis());
      case BundleEffect.PutBack back -> hide(job, back.millis());
      case BundleEffect.DeleteMessage delete -> {
        cluster.hpc().jobs().delete(List.of(job.handle()));
        inbox.post(key, new BundleEvent.Deleted());
      }
      case BundleEffect.NoteSick note ->
          inbox.post(key, new BundleEvent.SickNoted(note.claim(), 1));
      case BundleEffect.Kill kill -> job.abandon("it may not run here any longer");
      case BundleEffect.Close close -> {}
    }
  }

  private void accepted(long key, Positions tasks) {
    inbox.post(key, new BundleEvent.ResultsAccepted(tasks));
  }

  private void hide(BundleInHand job, long millis) {
    cluster.hpc().jobs().changeVisibility(job.handle(), Duration.ofMillis(millis));
  }

  @Override
  public Backlog backlog() {
    return backlog;
  }

  @Override
  public void changed() {}

  @Override
  public void leave() {
    throw new AssertionError("all ranks here can be stopped");
  }

  @Override
  public void close() throws InterruptedException {
    inputs.close();
    runner.close();
  }
}
