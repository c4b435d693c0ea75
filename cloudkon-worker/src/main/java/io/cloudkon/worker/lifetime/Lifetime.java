package io.cloudkon.worker.lifetime;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.idle.IdleEffect;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.core.protocol.idle.IdleMachine;
import io.cloudkon.core.protocol.idle.IdlePhase;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a worker ends itself. The worker's loop calls it regularly, and the worker's
 * receives follow its polls. Used by one thread at a time, except for the polls, {@link #becomes}
 * and {@link #endedItself}.
 */
public final class Lifetime {
  private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

  private final WorkerSettings worker;
  private final Moment begun;
  private final TimeSource time;
  private LifetimeConfig config;
  private IdleMachine machine;
  private final IdleCaller caller;
  private final Queue<IdleEvent> answers = new ConcurrentLinkedQueue<>();
  private final List<Polls> polls;
  private boolean drains;
  private boolean takesJobs;
  private volatile boolean jobsEnd;
  private volatile boolean ended;

  /** The rules that were set late; null if there are none or they are already applied. */
  private volatile @Nullable LifetimeConfig late;

  /**
   * The lifetime of a worker that starts now.
   *
   * @param takesJobs whether it takes part in HPC jobs
   * @param io runs calls that may block
   */
  public Lifetime(
      LifetimeConfig config,
      WorkerSettings worker,
      boolean takesJobs,
      Cluster cluster,
      TimeSource time,
      Executor io) {
    this.config = config;
    this.worker = worker;
    this.takesJobs = takesJobs;
    this.time = time;
    this.begun = time.now();
    this.machine = new IdleMachine(config.settings(worker.id(), worker.lease(), takesJobs), begun);
    this.caller =
        new IdleCaller(
            cluster.hpc().ledger(),
            cluster.decisions(),
            worker.id(),
            time,
            worker.lease().margin(),
            io,
            answers::add);
    this.polls = Polls.ofQueues(worker.tasks() && takesJobs ? 2 : 1);
    waitUpTo(time.now());
  }

  /** The receives of tasks, if the worker accepts any. */
  public Polls tasks() {
    return polls.getFirst();
  }

  /** The receives of HPC jobs, if the worker accepts any. */
  public Polls jobs() {
    return polls.getLast();
  }

  /**
   * Sets other rules, which apply from the next call of {@link #isOver} on, because the worker's
   * origin was unknown at its start. Must be called at most once, and only for a worker that does
   * not end when idle. Any thread may call it.
   */
  public void becomes(LifetimeConfig rules) {
    late = rules;
  }

  /**
   * From the next call of {@link #isOver} on, the worker takes no HPC jobs, and neither looks for
   * any nor waits for their queue. Any thread may call it, any number of times.
   */
  public void endJobs() {
    jobsEnd = true;
  }

  private void heedEndOfJobs(Moment now) {
    if (jobsEnd && takesJobs) {
      takesJobs = false;
      if (polls.size() > 1) {
        polls.getLast().leave();
      }
      begin(config, now);
    }
  }

  private void begin(LifetimeConfig rules, Moment now) {
    if (machine.phase() != IdlePhase.LEAVING) {
      config = rules;
      // The former state machine may hold a seat, or be about to end the receives.
      on(new IdleEvent.Leave(), now);
      polls.forEach(Polls::goOn);
      machine = new IdleMachine(rules.settings(worker.id(), worker.lease(), takesJobs), begun);
      on(new IdleEvent.Tick(true), now);
    }
  }

  /**
   * Applies rules that were set late. The worker's age counts from its start, and its idle time
   * from now, because it was not measured before.
   */
  private void heedLate(Moment now) {
    LifetimeConfig rules = late;
    if (rules != null) {
      late = null;
      begin(rules, now);
    }
  }

  /**
   * Returns whether the worker is to drain now; must be called about every 50 ms. Returns at once.
   *
   * @param worked whether it had work since the last call, or keeps slots for some
   * @param holds whether it holds messages, which may turn out to be work; the last look at its
   *     queues begins again after them
   * @param draining whether it already drains
   */
  public boolean isOver(boolean worked, boolean holds, boolean draining) {
    Moment now = time.now();
    heedLate(now);
    heedEndOfJobs(now);
    for (IdleEvent answer = answers.poll(); answer != null; answer = answers.poll()) {
      on(answer, now);
    }
    if (draining) {
      on(new IdleEvent.Leave(), now);
    }
    on(new IdleEvent.Tick(worked, holds), now);
    if (machine.phase() == IdlePhase.LAST_LOOK && !holds && polls.stream().allMatch(Polls::empty)) {
      on(new IdleEvent.QueuesEmpty(), now);
    }
    waitUpTo(now);
    return drains;
  }

  private void waitUpTo(Moment now) {
    Duration longest = Duration.ofMillis(machine.pollMillis(now));
    polls.forEach(queue -> queue.waitUpTo(longest));
  }

  private void on(IdleEvent event, Moment now) {
    for (IdleEffect effect : machine.on(event, now)) {
      switch (effect) {
        case IdleEffect.LookForJobs look -> caller.lookForJobs();
        case IdleEffect.ReadMinimum read -> caller.readMinimum();
        case IdleEffect.Sit sit -> caller.sit(sit);
        case IdleEffect.GiveBack back -> caller.giveBack(back.seat());
        case IdleEffect.LastLook look -> polls.forEach(Polls::lastLook);
        case IdleEffect.GoOn on -> polls.forEach(Polls::goOn);
        case IdleEffect.GiveUp giveUp ->
            LOG.warn("an idle worker ends without knowing whether it is needed: {}", giveUp.why());
        case IdleEffect.Drain drain -> {
          if (!drains) {
            tellEnd(drain.why());
          }
          drains = true;
          ended = drain.why() == IdleEffect.Ending.LIFETIME || config.keepsMinimum();
        }
      }
    }
  }

  private void tellEnd(IdleEffect.Ending why) {
    System.err.printf(
        "cloudkon worker %s: ends because it %s%n",
        worker.id(),
        switch (why) {
          case IDLE -> "was idle for its idle timeout";
          case LIFETIME -> "reached its maximum lifetime";
        });
  }

  /**
   * Whether the worker ended because its fleet no longer needs it or because its maximum lifetime
   * is over; then it must not be started again. False if a script asked it to end when idle.
   */
  public boolean endedItself() {
    return ended;
  }
}
