package io.cloudkon.worker.gang;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rank.Mailbox;
import io.cloudkon.hpc.rank.RankCommunicator;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this worker's ranks, each on its own virtual thread, and keeps their ends until their
 * manager knows them. Thread safe.
 */
final class RankRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RankRuns.class);

  /** How long a message waits for room at its receiver before its sender tries again. */
  private static final Duration ROOM = Duration.ofMillis(500);

  private final RankRunner runner;
  private final Inputs inputs;
  private final Health health;
  private final HinderedStarts hindered;
  private final Stubs stubs;
  private final Pulse pulse;
  private final TimeSource time;
  private final GangInbox inbox;
  private final Runnable leave;
  private final Map<String, Running> byGang = new ConcurrentHashMap<>();

  private final StartedAttempts started = new StartedAttempts();
  private final UntoldEnds untold = new UntoldEnds();
  private final AtomicInteger busy = new AtomicInteger();

  /** The ranks of one job here. */
  private record Running(
      String gang,
      StartRanks start,
      Bundle bundle,
      BundleInHand inHand,
      Map<Integer, Mailbox> mailboxes,
      List<Thread> threads) {}

  /**
   * Starts without ranks.
   *
   * @param health decides whether a rank that did not start is at fault, or this worker
   * @param hindered records the ranks that did not start through this worker's fault
   * @param pulse the pulse of the gangs' loop; a rank starts only after the loop has recently
   *     checked whether it still may
   * @param leave called if a rank still runs here that must not start elsewhere
   */
  RankRuns(
      RankRunner runner,
      Inputs inputs,
      Health health,
      HinderedStarts hindered,
      Stubs stubs,
      Pulse pulse,
      TimeSource time,
      GangInbox inbox,
      Runnable leave) {
    this.runner = runner;
    this.inputs = inputs;
    this.health = health;
    this.hindered = hindered;
    this.stubs = stubs;
    this.pulse = pulse;
    this.time = time;
    this.inbox = inbox;
    this.leave = leave;
  }

  /** The number of ranks that run. */
  int busy() {
    return busy.get();
  }

  /** Whether this worker takes no ranks of this job now. */
  boolean avoids(String job) {
    return hindered.avoids(job);
  }

  /** The ends of ranks that their manager may not know yet. */
  UntoldEnds untold() {
    return untold;
  }

  /** Starts ranks. Carries out a repeated order only once, see {@link StartedAttempts}. */
  void start(String gang, StartRanks start) {
    if (!started.add(gang, start)) {
      return;
    }
    Map<Integer, Mailbox> mailboxes = new ConcurrentHashMap<>();
    for (int rank : start.ranks()) {
      mailboxes.put(rank, new Mailbox(start.size()));
    }
    Bundle bundle;
    try {
      bundle = BundleCodec.decode(start.bundle());
    } catch (MalformedMessageException e) {
      LOG.warn("a manager sent a job that cannot be read: {}", e.getMessage());
      for (int rank : start.ranks()) {
        String why = "its worker cannot read it: " + e.getMessage();
        tell(gang, ended(start, rank, TaskStatus.FAILED.name(), why, time.wallMicros(), false));
      }
      return;
    }
    long now = time.wallMicros();
    BundleInHand inHand = new BundleInHand(0, bundle, "", 1, "", now, now);
    Running job = new Running(gang, start, bundle, inHand, mailboxes, new ArrayList<>());
    for (int i = 0; i < start.ranks().length; i++) {
      int rank = start.ranks()[i];
      String launch = start.launch().length == 0 ? "" : start.launch()[i];
      job.threads()
          .add(
              Thread.ofVirtual()
                  .name("cloudkon-rank-" + rank)
                  .unstarted(() -> run(job, rank, launch)));
    }
    byGang.put(gang, job);
    busy.addAndGet(job.threads().size());
    job.threads().forEach(Thread::start);
  }

  /**
   * Whether the calling thread runs a rank that was to end, and whose job may already run
   * elsewhere.
   */
  boolean runsEnded() {
    return byGang.values().stream()
        .anyMatch(
            job -> job.inHand().abandoned() && job.threads().contains(Thread.currentThread()));
  }

  /** Ends the ranks of that attempt; returns at once. */
  void kill(String gang, String jobId, int attempt) {
    Running job = byGang.get(gang);
    if (job != null && job.start().job().equals(jobId) && job.start().attempt() == attempt) {
      job.inHand().abandon("its job was ended");
      job.threads().forEach(Thread::interrupt);
    }
  }

  /** Delivers a message to a rank that runs here; false if there is none or it has no room yet. */
  boolean deliver(String gang, RankMessage message) throws InterruptedException {
    Running job = byGang.get(gang);
    if (job == null
        || !job.start().job().equals(message.job())
        || job.start().attempt() != message.attempt()) {
      return false;
    }
    Mailbox mailbox = job.mailboxes().get(message.to());
    return mailbox != null
        && mailbox.deliver(message.from(), message.bytes(), ROOM) == Mailbox.Delivery.TAKEN;
  }

  /** Forgets a gang that has no ranks here any more. */
  void forget(String gang) {
    byGang.remove(gang);
    started.forget(gang);
    untold.forget(gang);
  }

  /** Kills all ranks and waits for them to end. */
  @Override
  public void close() throws InterruptedException {
    for (Running job : byGang.values()) {
      job.inHand().abandon("its worker has ended");
      job.threads().forEach(Thread::interrupt);
      for (Thread thread : job.threads()) {
        thread.join();
      }
    }
  }

  private void run(Running job, int rank, String launch) {
    long begun = time.wallMicros();
    RankEnd end;
    Throwable failure = null;
    try {
      end = endOf(job, rank, launch, begun);
    } catch (RuntimeException | Error e) {
      // Whatever fails, the manager must learn that the rank has ended, or the job hangs.
      failure = e;
      end =
          job.inHand().abandoned()
              ? cancelled(job, rank, begun, false)
              : ended(job.start(), rank, TaskStatus.FAILED.name(), why(e), begun, false);
    }
    busy.decrementAndGet();
    if (runsBesideItself(job, end)) {
      // It counts as running until its manager no longer hears from this worker.
      leave.run();
      return;
    }
    tell(job.gang(), end);
    if (failure != null) {
      LOG.error("rank {} of job {} could not be run", rank, job.start().job(), failure);
    }
  }

  private static String why(Throwable failure) {
    return "its worker could not run it: " + failure.getClass().getName();
  }

  private RankEnd endOf(Running job, int rank, String launch, long begun) {
    try (Inputs.Provisions provisions = inputs.provisions(job.inHand())) {
      return end(job, provisions, rank, launch, begun);
    } catch (TaskInterruptedException e) {
      TaskOutcome unfinished = e.unfinished();
      return unfinished == null
          ? cancelled(job, rank, begun, e.stuck())
          : outputs(job, rank, unfinished, TaskStatus.CANCELLED.name());
    } catch (GivenUpException e) {
      return job.inHand().abandoned()
          ? cancelled(job, rank, begun, false)
          : ended(job.start(), rank, EndedRanks.LEFT, "its worker drains", begun, false);
    }
  }

  /**
   * Whether another attempt of the job would start while a rank still runs here, although it must
   * not: the manager tries a job again whose ranks were killed.
   */
  private static boolean runsBesideItself(Running job, RankEnd end) {
    return end.stuck()
        && end.status().equals(TaskStatus.CANCELLED.name())
        && job.bundle().header().consistency() == Consistency.EXACTLY_ONCE;
  }

  private void tell(String gang, RankEnd end) {
    GangEvent.Ended news = EndedRanks.news(end);
    untold.keep(gang, news, end);
    inbox.tell(new SubWorkerEvent.RankEnded(gang, news));
  }

  private RankEnd end(
      Running job, Inputs.Provisions provisions, int rank, String launch, long begun)
      throws TaskInterruptedException, GivenUpException {
    StartRanks start = job.start();
    try {
      TaskOutcome outcome = outcome(job, provisions, rank, launch);
      boolean withOthers = outcome.status() == TaskStatus.CANCELLED;
      return outputs(job, rank, outcome, withOthers ? EndedRanks.ENDED : outcome.status().name());
    } catch (InputException e) {
      return StartHindrance.of(e, health)
          .map(found -> notStarted(start, rank, found, begun))
          .orElseGet(() -> ended(start, rank, TaskStatus.FAILED.name(), e.reason(), begun, false));
    } catch (NotStartedException e) {
      TaskOutcome own = e.outcome();
      return StartHindrance.of(e, health)
          .map(found -> notStarted(start, rank, found, begun))
          .orElseGet(() -> outputs(job, rank, own, own.status().name()));
    }
  }

  private TaskOutcome outcome(Running job, Inputs.Provisions provisions, int rank, String launch)
      throws TaskInterruptedException, InputException, GivenUpException, NotStartedException {
    Task whole = job.bundle().tasks().getFirst();
    Task each = whole.work() instanceof Work.Hpc hpc ? whole.with(hpc.each()) : whole;
    TaskEnvironment around =
        runner.allows(each)
            ? provisions.around(each)
            : TaskEnvironment.bare(job.bundle().header().run(), 0);
    Task complete = runner.allows(each) ? provisions.complete(each) : each;
    StartRanks start = job.start();
    Mailbox mailbox = job.mailboxes().get(rank);
    RmiLink link = new RmiLink(this, stubs, job.gang(), start, rank);
    RankCommunicator world =
        new RankCommunicator(
            rank, start.size(), link, mailbox == null ? new Mailbox(start.size()) : mailbox);
    if (!pulse.allows(job.inHand())) {
      throw new GivenUpException();
    }
    return runner.run(
        around,
        complete,
        job.inHand().interruption(),
        new RankPlace(start.job(), rank, start.size(), world, launch));
  }

  private static RankEnd outputs(Running job, int rank, TaskOutcome outcome, String status) {
    return EndedRanks.withOutputs(
        job.start(), rank, outcome, status, job.bundle().header().captureBytes());
  }

  /**
   * The end of a rank that did not start. Another worker may run it, unless too many workers could
   * not start it.
   */
  private RankEnd notStarted(StartRanks start, int rank, StartHindrance found, long begun) {
    LOG.warn("rank {} of job {} did not start here: {}", rank, start.job(), found.reason());
    return hindered
        .note(start.job(), found)
        .map(why -> ended(start, rank, TaskStatus.FAILED.name(), why, begun, false))
        .orElseGet(() -> ended(start, rank, EndedRanks.LEFT, found.reason(), begun, false));
  }

  private RankEnd cancelled(Running job, int rank, long begun, boolean stuck) {
    return ended(
        job.start(), rank, TaskStatus.CANCELLED.name(), "it was ended with its job", begun, stuck);
  }

  private RankEnd ended(
      StartRanks start,
      int rank,
      String status,
      @Nullable String error,
      long begun,
      boolean stuck) {
    return EndedRanks.withoutOutputs(
        start, rank, status, error, begun, Math.max(begun, time.wallMicros()), stuck);
  }
}
