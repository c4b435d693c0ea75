package io.cloudkon.worker.service;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerMachine;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.claim.ClaimCaller;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.Backlog;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.gang.GangInbox;
import io.cloudkon.worker.gang.GangService;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.lifetime.Lifetime;
import io.cloudkon.worker.monitor.Monitor;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.LostQueues;
import io.cloudkon.worker.reply.ReplyMessages;
import io.cloudkon.worker.reply.ReplyRoutes;
import io.cloudkon.worker.reply.ReplySender;
import io.cloudkon.worker.reply.ResultStore;
import io.cloudkon.worker.source.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running worker. One thread, the loop, owns the machine: it takes events from the inbox, and
 * hands the effects to slots and callers, whose outcomes come back as events. Thread safe.
 */
public final class WorkerService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerService.class);
  private static final long TICK_NANOS = 50_000_000L;

  /** The machine's clock counts milliseconds. */
  private static final long ROUNDING_NANOS = 500_000L;

  private final WorkerConfig config;
  private final TimeSource time;
  private final WorkerMachine machine;
  private final LinkedBlockingQueue<WorkerEvent> events = new LinkedBlockingQueue<>();
  private final Map<Long, BundleInHand> inHand = new ConcurrentHashMap<>();
  private final WorkerStats stats;
  private final Later later = new Later();
  private final ExecutorService io =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cloudkon-io-", 0).factory());
  private final ReplyRoutes routes = new ReplyRoutes();
  private final RunWatch runs;
  private final Crowd crowd;
  private final CallMeter calls;
  private final TaskRunner runner;
  private final Inputs inputs;
  private final Source source;
  private final EffectRunner effects;
  private final List<Slot> slots = new ArrayList<>();
  private final Pulse pulse;
  private final AtomicReference<@Nullable Thread> receiving = new AtomicReference<>();
  private final @Nullable Monitor monitor;
  private final @Nullable GangService gangs;
  private final Lifetime lifetime;
  private final GangInbox jobInbox = new GangInbox();
  private Runnable jobWatch = () -> {};
  private final Thread loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long begunNanos;

  /** At what age whatever still runs is killed. */
  private final AtomicLong drainUntil = new AtomicLong(Long.MAX_VALUE);

  private volatile int freeSlots;
  private volatile boolean draining;
  private volatile boolean failed;
  private volatile boolean leaving;
  private int slotsKept;
  private boolean worked;
  private long runsLookedAt;

  /**
   * Starts a worker.
   *
   * @param handlers what {@code java} tasks may call; stays the caller's to close
   * @param callCounts the API calls of this process so far, for the runs' reports
   */
  public WorkerService(
      WorkerConfig config,
      Cluster cluster,
      HandlerRegistry handlers,
      TimeSource time,
      Supplier<List<ResultBatch.Calls>> callCounts) {
    this(config, cluster, handlers, time, callCounts, new WorkerStats());
  }

  /** Starts a worker that counts in {@code stats}. */
  public WorkerService(
      WorkerConfig config,
      Cluster cluster,
      HandlerRegistry handlers,
      TimeSource time,
      Supplier<List<ResultBatch.Calls>> callCounts,
      WorkerStats stats) {
    this.config = config;
    this.time = time;
    this.stats = stats;
    this.begunNanos = time.monotonicNanos();
    WorkerSettings settings = config.settings();
    lifetime = new Lifetime(config.lifetime(), settings, config.gangs() != null, cluster, time, io);
    BackOff backOff = new BackOff(50, 2_000, new Random());
    Inbox inbox = events::add;
    machine = new WorkerMachine(settings);
    pulse = new Pulse(time, settings.lease().margin());
    RunStates states = new RunStates(cluster.runs(), routes, time);
    calls = new CallMeter(callCounts);
    runs = new RunWatch(states, calls, inHand, inbox, io);
    LostQueues lost = new LostQueues(time, config.replyTimeout(), runs::stillOpen);
    Acknowledger acknowledger = new Acknowledger(cluster.requests(), later, backOff);
    crowd = Crowd.ofBundles(settings.slots(), inHand::size);
    DeadEnds deadEnds =
        new DeadEnds(lost, routes, states, cluster.responses(), cluster.blobs(), acknowledger, io);
    runner =
        new TaskRunner(
            config.runner(), handlers, () -> instant(time.wallMicros()), task -> stuck(task.id()));
    ResultBatch.WorkerId id =
        new ResultBatch.WorkerId(
            settings.id(),
            settings.slots(),
            time.wallMicros(),
            config.origin().type(),
            config.origin().lifeCycle());
    inputs =
        new Inputs(cluster.blobs(), runner, config.cacheBytes(), pulse, backOff, () -> draining);
    ReplyMessages messages = new ReplyMessages(id, calls::since, time);
    ReplySender replies =
        new ReplySender(
            cluster.responses(),
            routes,
            messages,
            new ResultStore(cluster.blobs(), messages, pulse),
            lost,
            inbox,
            later,
            backOff,
            pulse,
            stats);
    source =
        new Source(
            cluster.requests(),
            time,
            Duration.ofMillis(settings.lease().lease()),
            inbox,
            bundle -> arrived(bundle, inHand, crowd, deadEnds),
            new UndecodableMessages(cluster, id, time),
            lifetime.tasks());
    effects =
        new EffectRunner(
            cluster.requests(),
            cluster.dead(),
            new ClaimCaller(cluster.claims(), time, inbox, later, backOff),
            replies,
            acknowledger,
            time,
            inbox,
            later,
            backOff,
            io);
    for (int i = 0; i < settings.slots(); i++) {
      slots.add(new Slot(i, inputs, runner, stats, time, pulse, inbox, this::broken));
    }
    gangs = config.gangs() == null ? null : gangs(config.gangs(), cluster, id, states, backOff);
    // After that: a worker that cannot listen to others ends here, and none is to see it.
    monitor =
        config.monitorEvery() == null
            ? null
            : new Monitor(
                cluster.workers(),
                stats,
                time,
                settings.id(),
                config.origin(),
                config.takes(),
                settings.slots(),
                config.monitorEvery().toMillis(),
                () -> draining);
    loop = Thread.ofPlatform().name("cloudkon-worker").start(this::loop);
  }

  /** What jobs need besides what tasks do: all that tells their own inbox. */
  private GangService gangs(
      GangConfig how, Cluster cluster, ResultBatch.WorkerId id, RunStates states, BackOff backOff) {
    GangInbox inbox = jobInbox;
    Backlog backlog = new Backlog();
    Map<Long, BundleInHand> jobs = new ConcurrentHashMap<>();
    Pulse jobPulse = new Pulse(time, config.settings().lease().margin());
    RunWatch jobRuns = new RunWatch(states, calls, jobs, inbox, io);
    jobWatch = () -> jobRuns.look(jobs.values());
    LostQueues lost = new LostQueues(time, config.replyTimeout(), jobRuns::stillOpen);
    ReplyMessages messages = new ReplyMessages(id, calls::since, time);
    ReplySender replies =
        new ReplySender(
            cluster.responses(),
            routes,
            messages,
            new ResultStore(cluster.blobs(), messages, jobPulse),
            lost,
            inbox,
            later,
            backOff,
            jobPulse,
            stats,
            backlog::gatherMillis);
    RequestQueue queue = cluster.hpc().jobs();
    Acknowledger acknowledger = new Acknowledger(queue, later, backOff, backlog::gatherMillis);
    DeadEnds jobsToNowhere =
        new DeadEnds(lost, routes, states, cluster.responses(), cluster.blobs(), acknowledger, io);
    Crowd jobCrowd = Crowd.ofJobs(config.settings().slots(), jobs::size);
    EffectRunner jobEffects =
        new EffectRunner(
            queue,
            cluster.dead(),
            new ClaimCaller(cluster.claims(), time, inbox, later, backOff),
            replies,
            acknowledger,
            time,
            inbox,
            later,
            backOff,
            io);
    Source jobSource =
        new Source(
            queue,
            time,
            Duration.ofMillis(config.settings().lease().lease()),
            inbox,
            job -> arrived(job, jobs, jobCrowd, jobsToNowhere),
            new UndecodableMessages(cluster, id, time),
            lifetime.jobs());
    JobHost host =
        new JobHost(
            runner,
            inputs,
            stats,
            () -> freeSlots,
            events::add,
            inbox,
            jobCrowd,
            jobSource,
            jobRuns,
            jobEffects,
            backlog);
    return new GangService(how, cluster, time, inbox, jobs, host, jobPulse, later, backOff, io);
  }

  private long ageNanos() {
    return time.monotonicNanos() - begunNanos;
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1000);
  }

  /**
   * Stops receiving, settles what is in hand, and ends; what runs may go on for as long as the
   * drain timeout. Returns at once.
   */
  public void drain() {
    drainWithin(config.drainTimeout());
  }

  /**
   * Drains; what runs may go on for so long at most, and no longer than the drain timeout. A worker
   * that drains already gets no more time by it, but may get less. Returns at once.
   *
   * @param longest from now on; zero kills at once what runs
   */
  public void drainWithin(Duration longest) {
    long nanos = Math.min(longest.toNanos(), config.drainTimeout().toNanos());
    drainUntil.accumulateAndGet(ageNanos() + nanos, Math::min);
    if (!draining) {
      draining = true;
      events.add(new WorkerEvent.Drain());
      Thread receiver = receiving.get();
      if (receiver != null) {
        receiver.interrupt();
      }
      if (gangs != null) {
        gangs.drain();
      }
    }
  }

  /** Drains, and kills at once what runs. */
  public void kill() {
    drainWithin(Duration.ZERO);
    if (gangs != null) {
      gangs.kill();
    }
  }

  /** Waits until it has ended. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Waits until it has ended, or this long; says whether it has. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    return ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether it ended by a mistake of ours, with work in hand. */
  public boolean failed() {
    return failed;
  }

  /** See {@link Lifetime#endedItself}. */
  public boolean endedItself() {
    return lifetime.endedItself();
  }

  /** What it has counted. */
  public WorkerStats stats() {
    return stats;
  }

  /** Drains, waits for the end, and lets go of everything. */
  @Override
  public void close() throws InterruptedException {
    drain();
    loop.join();
  }

  // ---- the loop

  private void loop() {
    try {
      long nextTick = time.monotonicNanos();
      while (!(machine.drained() && gangsDrained()) && !leaving) {
        long wait = nextTick - time.monotonicNanos();
        WorkerEvent event = wait <= 0 ? null : events.poll(wait, TimeUnit.NANOSECONDS);
        if (event == null) {
          nextTick = time.monotonicNanos() + TICK_NANOS;
          tick();
          event = new WorkerEvent.Tick();
        }
        Moment now = time.now();
        for (WorkerEffect effect : machine.on(event, now)) {
          carryOut(effect);
        }
        nextTick = Math.min(nextTick, time.monotonicNanos() + decidesInNanos());
        if (event instanceof WorkerEvent.Tick) {
          pulse.beat(now);
        }
        worked |= machine.bundlesInHand() > 0;
        publish();
      }
    } catch (InterruptedException e) {
      LOG.warn("the worker's loop was interrupted: it ends at once");
    } catch (RuntimeException | Error e) {
      failed = true;
      LOG.error("the worker's loop failed: it ends at once; what it had in hand runs elsewhere", e);
    } finally {
      shutDown();
    }
  }

  private boolean gangsDrained() {
    return gangs == null || gangs.drained();
  }

  private void publish() {
    if (gangs == null) {
      stats.now(machine.busySlots(), machine.bundlesInHand());
      return;
    }
    if (freeSlots != machine.freeSlots()) {
      freeSlots = machine.freeSlots();
      gangs.slotsChanged();
    }
    // Slots that are kept empty are what a job waits for: there is no need to look into the ledger.
    worked |= gangs.jobsInHand() > 0 || gangs.ranks() > 0 || slotsKept > 0;
    stats.now(machine.busySlots() + gangs.busy(), machine.bundlesInHand() + gangs.jobsInHand());
    stats.refused(gangs.refused());
    stats.role(gangs.gangs() > 0 ? "manager" : gangs.ranks() > 0 ? "sub-worker" : "worker");
    if (gangs.failed() && !leaving) {
      failed = true;
      leaving = true;
    }
  }

  /** No slot is to wait for a claim or a bundle that the machine would have asked for in time. */
  private long decidesInNanos() {
    double micros = Math.min(machine.decidesInMicros(), TICK_NANOS / 1000.0);
    return (long) (micros * 1000) + ROUNDING_NANOS;
  }

  private void tick() {
    runner.guard().beat();
    long now = time.monotonicNanos();
    if (lifetime.isOver(worked, draining)) {
      drain();
    }
    worked = false;
    if (draining && ageNanos() >= drainUntil.get()) {
      inHand.values().forEach(b -> b.interruption().kill("its worker is leaving"));
      if (gangs != null) {
        gangs.kill();
      }
      giveUpSettling();
    }
    if (now - runsLookedAt >= RunWatch.LOOK_NANOS) {
      runsLookedAt = now;
      runs.look(inHand.values());
      jobWatch.run();
    }
  }

  /** A service that never answers must not keep a worker that is to leave. */
  private void giveUpSettling() {
    long patience = 2 * TimeUnit.MILLISECONDS.toNanos(config.settings().lease().lease());
    if (ageNanos() >= drainUntil.get() + patience) {
      LOG.warn(
          "{} bundles could not be settled in time; they run elsewhere once their leases are over",
          machine.bundlesInHand());
      failed = true;
      leaving = true;
    }
  }

  private void carryOut(WorkerEffect effect) {
    switch (effect) {
      case WorkerEffect.Receive receive -> io.execute(() -> receive(receive.max()));
      case WorkerEffect.SlotsKept kept -> {
        slotsKept = kept.slots();
        jobInbox.slotsKept(kept.question(), kept.slots());
      }
      case WorkerEffect.Run run -> {
        BundleInHand bundle = inHand.get(run.bundle());
        if (bundle == null) {
          throw new IllegalStateException(
              "slot %d runs a bundle that is gone".formatted(run.slot()));
        }
        slots.get(run.slot()).run(bundle, run.tasks());
      }
      case WorkerEffect.OfBundle of -> {
        BundleInHand bundle = inHand.get(of.bundle());
        if (bundle != null) {
          effects.carryOut(bundle, of.effect());
        }
        if (of.effect() instanceof BundleEffect.Close) {
          inHand.remove(of.bundle());
        }
      }
    }
  }

  private void receive(int max) {
    receiving.set(Thread.currentThread());
    try {
      if (draining || crowd.tooLarge()) {
        events.add(new WorkerEvent.ReceiveFailed());
      } else {
        // Not before their arrival was told: what concerns a bundle that is not there yet is lost.
        runs.look(source.receive(max));
      }
    } finally {
      // The next receive may have begun already.
      receiving.compareAndSet(Thread.currentThread(), null);
    }
  }

  // ---- what callers tell

  /** A bundle or a job; false if it is not to be begun here. */
  private boolean arrived(
      BundleInHand bundle, Map<Long, BundleInHand> all, Crowd of, DeadEnds nowhere) {
    if (nowhere.takes(bundle, of.large())) {
      return false;
    }
    calls.begin(bundle.header().run());
    all.put(bundle.key(), bundle);
    return true;
  }

  /** Code that cannot be stopped holds its slot: another worker is to take this one's place. */
  private void stuck(String task) {
    LOG.warn("task {} ignores its interruption; this worker drains and ends", task);
    if (slots.stream().anyMatch(Slot::runsLost) || (gangs != null && gangs.runsEnded())) {
      // Its lease is lost: another worker may run it any moment now.
      leaving = true;
    }
    drain();
  }

  /** A slot has ended, and with it all hope for what it ran. */
  private void broken(Throwable why) {
    LOG.error("a slot broke: the worker ends at once; what it had in hand runs elsewhere", why);
    failed = true;
    leaving = true;
  }

  private void shutDown() {
    draining = true;
    try {
      inHand.values().forEach(b -> b.abandon("its worker has ended"));
      if (gangs != null) {
        gangs.close();
      }
      effects.close();
      for (Slot slot : slots) {
        slot.close();
      }
      inputs.close();
      runner.close();
      if (monitor != null) {
        monitor.close();
      }
      lifetime.close();
      io.shutdownNow();
      later.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }
}
