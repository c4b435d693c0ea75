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
 * Decides when a worker ends itself. Its loop asks, and its receives go by the polls that this has
 * for them; all else is this one's. Used by one thread at a time, but for the polls and {@link
 * #endedItself}.
 */
public final class Lifetime {
  private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

  private final WorkerSettings worker;
  private final boolean takesJobs;
  private final Moment begun;
  private final TimeSource time;
  private LifetimeConfig config;
  private IdleMachine machine;
  private final IdleCaller caller;
  private final Queue<IdleEvent> answers = new ConcurrentLinkedQueue<>();
  private final List<Polls> polls;
  private boolean drains;
  private volatile boolean ended;

  /** What it is told late; null if it was not, or heeds it already. */
  private volatile @Nullable LifetimeConfig late;

  /**
   * A worker that starts now.
   *
   * @param takesJobs whether it takes part in HPC jobs
   * @param io runs what may block
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

  /** The receives of tasks, where it takes any. */
  public Polls tasks() {
    return polls.getFirst();
  }

  /** The receives of HPC jobs, where it takes any. */
  public Polls jobs() {
    return polls.getLast();
  }

  /**
   * From the next question on it ends by these rules: where it comes from was not known at its
   * start. To be called at most once, and only on one that does not end for being idle. Any thread
   * may call it.
   */
  public void becomes(LifetimeConfig rules) {
    late = rules;
  }

  /** Its age counts from its start; how long it has been idle, nobody has asked until now. */
  private void heedLate(Moment now) {
    LifetimeConfig rules = late;
    if (rules != null) {
      late = null;
      if (machine.phase() != IdlePhase.LEAVING) {
        config = rules;
        machine = new IdleMachine(rules.settings(worker.id(), worker.lease(), takesJobs), begun);
        on(new IdleEvent.Tick(true), now);
      }
    }
  }

  /**
   * Whether the worker is to drain now; to be asked every 50 ms or so. Returns at once.
   *
   * @param worked whether it had anything in hand since this was asked last
   * @param draining whether it drains already
   */
  public boolean isOver(boolean worked, boolean draining) {
    Moment now = time.now();
    heedLate(now);
    for (IdleEvent answer = answers.poll(); answer != null; answer = answers.poll()) {
      on(answer, now);
    }
    if (draining) {
      on(new IdleEvent.Leave(), now);
    }
    on(new IdleEvent.Tick(worked), now);
    if (machine.phase() == IdlePhase.LAST_LOOK && polls.stream().allMatch(Polls::empty)) {
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
        "cloudkon worker %s: ends, as it %s%n",
        worker.id(),
        switch (why) {
          case IDLE -> "was idle for its idle timeout";
          case LIFETIME -> "has lived for its longest time";
        });
  }

  /**
   * Whether the worker ended as its fleet needs it no more, or as it has lived for long enough:
   * nobody is to start it again. Not so where a script asked it to end when idle.
   */
  public boolean endedItself() {
    return ended;
  }
}
