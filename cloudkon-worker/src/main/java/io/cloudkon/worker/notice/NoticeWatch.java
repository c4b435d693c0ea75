package io.cloudkon.worker.notice;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.protocol.notice.Notice;
import io.cloudkon.core.protocol.notice.NoticeEffect;
import io.cloudkon.core.protocol.notice.NoticeEvent;
import io.cloudkon.core.protocol.notice.NoticeMachine;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.imds.InstanceOrigin;
import io.cloudkon.worker.imds.MetadataService;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that asks the metadata service every few seconds whether its instance is to leave, and
 * makes the worker drain in time. While the service does not answer, it asks half as often. Thread
 * safe.
 */
public final class NoticeWatch implements AutoCloseable {
  /** 5 s, as AWS recommends. */
  public static final Duration DEFAULT_EVERY = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(NoticeWatch.class);

  /** Few: a Spot notice comes two minutes before, and a busy machine may miss an answer. */
  private static final int MOST_DOUBLINGS = 1;

  /** Longer than any drain. */
  private static final long LONG_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** The worker whose machine is watched. */
  public interface Leaver {
    /** Shows this notice in the worker's entry from now on. */
    void announce(Notice notice);

    /** Sets the worker's origin, which was not fully known at its start. */
    void comesFrom(WorkerOrigin origin);

    /**
     * Drains the worker; running tasks may continue for at most that time, and no longer than its
     * drain timeout.
     */
    void drainWithin(Duration longest);
  }

  private final Announcements announcements;
  private final InstanceOrigin origin;
  private final NoticeMachine machine;
  private final WorkerRegistry registry;
  private final Leaver leaver;
  private final TimeSource time;
  private final Duration every;
  private final LinkedBlockingQueue<NoticeEvent> seen = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile Thread look = Thread.ofVirtual().unstarted(() -> {});
  private volatile Notice leaves = Notice.NONE;
  private WorkerOrigin reported;
  private boolean originKnown;

  /**
   * Starts the thread; it asks at once.
   *
   * @param metadata the metadata service; the caller closes it
   * @param origin the worker's origin, whose unknown parts are asked for
   * @param reported the origin that the worker has reported
   * @param registry the registry in which a replacement registers
   * @param every how often it asks; default 5 s
   */
  public NoticeWatch(
      MetadataService metadata,
      InstanceOrigin origin,
      WorkerOrigin reported,
      NoticeMachine machine,
      WorkerRegistry registry,
      Leaver leaver,
      TimeSource time,
      Duration every) {
    this.announcements = new Announcements(metadata);
    this.origin = origin;
    this.reported = reported;
    this.machine = machine;
    this.registry = registry;
    this.leaver = leaver;
    this.time = time;
    this.every = every;
    this.thread = Thread.ofVirtual().name("cloudkon-notices").start(this::run);
  }

  /** The reason why the worker leaves, if it leaves because of a notice. */
  public Notice leaves() {
    return leaves;
  }

  private void run() {
    try {
      int failures = 0;
      while (true) {
        failures = ask() ? 0 : Math.min(failures + 1, MOST_DOUBLINGS);
        await(time.monotonicNanos() + (every.toNanos() << failures));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks once; returns whether the service answered. */
  private boolean ask() throws InterruptedException {
    boolean answered = true;
    try {
      for (NoticeEvent event : announcements.read()) {
        tell(event);
      }
      completeOrigin();
    } catch (IOException e) {
      // The metadata client has logged it.
      answered = false;
    } catch (RuntimeException | Error e) {
      // Catches everything: a watch that ends would miss the interruption.
      LOG.warn("could not check the notices for this machine, trying again", e);
      answered = false;
    }
    tell(new NoticeEvent.Tick());
    return answered;
  }

  private void completeOrigin() throws InterruptedException {
    if (!originKnown) {
      originKnown = origin.complete(InstanceOrigin.START_LIMIT);
      WorkerOrigin now = origin.get();
      if (!now.equals(reported)) {
        reported = now;
        leaver.comesFrom(now);
      }
    }
  }

  /** Waits, and handles at once what was seen meanwhile. */
  private void await(long until) throws InterruptedException {
    long left;
    while ((left = until - time.monotonicNanos()) > 0) {
      NoticeEvent event = seen.poll(left, TimeUnit.NANOSECONDS);
      if (event != null) {
        tell(event);
      }
    }
  }

  private void tell(NoticeEvent event) {
    for (NoticeEffect effect : machine.on(event, time.now())) {
      switch (effect) {
        case NoticeEffect.Announce announce -> announce(announce.notice());
        case NoticeEffect.LookForReplacement wanted -> lookForReplacement();
        case NoticeEffect.Drain drain -> drain(drain);
      }
    }
  }

  private void announce(Notice notice) {
    leaver.announce(notice);
    switch (notice) {
      case REBALANCE ->
          LOG.warn(
              "this machine may be reclaimed: the worker continues until another worker has"
                  + " replaced it");
      case MAINTENANCE ->
          LOG.warn("this machine has maintenance scheduled soon: the worker drains before it");
      case NONE -> LOG.warn("the maintenance of this machine was cancelled: the worker stays");
      case INTERRUPTION -> {}
    }
  }

  private void drain(NoticeEffect.Drain drain) {
    leaves = drain.why();
    long within = Math.min(drain.withinMillis(), LONG_MILLIS);
    LOG.warn(
        "this machine is about to be shut down ({}): the worker drains{}",
        drain.why().label(),
        within == LONG_MILLIS ? "" : ", within " + within / 1000 + " s");
    leaver.drainWithin(Duration.ofMillis(within));
  }

  /**
   * Looks for a replacement on another thread, so that a registry that does not answer does not
   * hide an interruption.
   */
  private void lookForReplacement() {
    if (!look.isAlive()) {
      look = Thread.ofVirtual().name("cloudkon-replacements").start(this::look);
    }
  }

  private void look() {
    try {
      seen.add(new NoticeEvent.Workers(registry.list()));
    } catch (RuntimeException | Error e) {
      LOG.debug("could not look whether another worker has come: {}", e.toString());
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
    look.interrupt();
    look.join();
  }
}
