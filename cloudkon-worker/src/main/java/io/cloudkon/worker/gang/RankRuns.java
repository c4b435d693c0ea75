package io.cloudkon.worker.gang;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rank.Mailbox;
import io.cloudkon.hpc.rank.RankCommunicator;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this worker's ranks, each on its own virtual thread, and keeps their ends until their
 * manager knows them. Thread safe.
 */
final class RankRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RankRuns.class);

  private static final Duration END = Duration.ofSeconds(10);

  /** How long a message waits for room at its receiver before its sender tries again. */
  private static final Duration ROOM = Duration.ofMillis(500);

  private final RankExecution execution;
  private final HinderedStarts hindered;
  private final Stubs stubs;
  private final TimeSource time;
  private final GangInbox inbox;
  private final Runnable leave;
  private final Map<String, Running> byGang = new ConcurrentHashMap<>();

  private final StartedAttempts started = new StartedAttempts();
  private final UntoldEnds untold = new UntoldEnds();
  private final AtomicInteger busy = new AtomicInteger();

  /** The ranks of one job here. */
  private record Running(
      String gang, RankExecution.Job job, Map<Integer, Mailbox> mailboxes, List<Thread> threads) {

    StartRanks start() {
      return job.start();
    }

    BundleInHand inHand() {
      return job.inHand();
    }
  }

  /**
   * Starts without ranks.
   *
   * @param hindered the ranks that did not start through this worker's fault
   * @param leave called if a rank still runs here that must not start elsewhere
   */
  RankRuns(
      RankExecution execution,
      HinderedStarts hindered,
      Stubs stubs,
      TimeSource time,
      GangInbox inbox,
      Runnable leave) {
    this.execution = execution;
    this.hindered = hindered;
    this.stubs = stubs;
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
        long now = time.wallMicros();
        String failed = TaskStatus.FAILED.name();
        tell(gang, EndedRanks.withoutOutputs(start, rank, failed, why, now, now, false));
      }
      return;
    }
    long now = time.wallMicros();
    BundleInHand inHand = new BundleInHand(0, bundle, "", 1, "", now, now);
    Running job =
        new Running(gang, new RankExecution.Job(start, inHand), mailboxes, new ArrayList<>());
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

  /**
   * Kills all ranks. Those that do not end within 10 s, for example because a disk does not answer,
   * are left behind: they must not keep the worker's entry and its instance.
   */
  @Override
  public void close() throws InterruptedException {
    close(END);
  }

  /** Kills all ranks, and waits for them for that time in all. */
  void close(Duration patience) throws InterruptedException {
    List<Running> all = List.copyOf(byGang.values());
    for (Running job : all) {
      job.inHand().abandon("its worker has ended");
      job.threads().forEach(Thread::interrupt);
    }
    long deadline = System.nanoTime() + patience.toNanos();
    for (Running job : all) {
      for (Thread thread : job.threads()) {
        if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
          LOG.warn(
              "{} of job {} does not end, it is left behind", thread.getName(), job.start().job());
        }
      }
    }
  }

  private void run(Running job, int rank, String launch) {
    long begun = time.wallMicros();
    RankEnd end;
    Throwable failure = null;
    try {
      end = execution.run(job.job(), rank, () -> place(job, rank, launch), begun);
    } catch (RuntimeException | Error e) {
      // Whatever fails, the manager must learn that the rank has ended, or the job hangs.
      failure = e;
      end = execution.failed(job.job(), rank, e, begun);
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

  private RankPlace place(Running job, int rank, String launch) {
    StartRanks start = job.start();
    Mailbox mailbox = job.mailboxes().get(rank);
    RankCommunicator world =
        new RankCommunicator(
            rank,
            start.size(),
            new RmiLink(this, stubs, job.gang(), start, rank),
            mailbox == null ? new Mailbox(start.size()) : mailbox);
    return new RankPlace(start.job(), rank, start.size(), world, launch);
  }

  /**
   * Whether another attempt of the job would start while a rank still runs here, although it must
   * not: the manager tries a job again whose ranks were killed.
   */
  private static boolean runsBesideItself(Running job, RankEnd end) {
    return end.stuck()
        && end.status().equals(TaskStatus.CANCELLED.name())
        && job.inHand().header().consistency() == Consistency.EXACTLY_ONCE;
  }

  private void tell(String gang, RankEnd end) {
    GangEvent.Ended news = EndedRanks.news(end);
    untold.keep(gang, news, end);
    inbox.tell(new SubWorkerEvent.RankEnded(gang, news));
  }
}
