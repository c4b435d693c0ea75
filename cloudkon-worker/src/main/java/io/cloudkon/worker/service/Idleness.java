package io.cloudkon.worker.service;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long a worker has had nothing to do, and whether it may end for that. One that serves HPC
 * jobs looks into the ledger first: what the cluster has heard of before may be half a minute old,
 * and without this worker's slots a job that waits may be too large. Used by the loop alone.
 */
final class Idleness {
  private static final Logger LOG = LoggerFactory.getLogger(Idleness.class);

  /** Between two looks that found jobs waiting, at least. */
  private static final long LOOK_NANOS = 5_000_000_000L;

  /** And one look of all the cluster's workers together per so long. */
  private static final long LOOK_PER_WORKER_NANOS = 1_000_000_000L;

  /** After a look that failed. */
  private static final long AGAIN_NANOS = 1_000_000_000L;

  /** Nobody stays longer than this for a ledger that cannot be read. */
  private static final long UNREAD_NANOS = 60_000_000_000L;

  private final @Nullable Duration limit;
  private final @Nullable CapacityLedger ledger;
  private final TimeSource time;
  private final long marginMillis;
  private final Executor io;
  private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
  private long since;
  private boolean looking;
  private long lookAt;
  private long unreadSince;
  private boolean unread;

  /** What a look has found. */
  private sealed interface Seen {
    /** No job waits for slots. */
    record Nobody() implements Seen {}

    /** Some job does; so many entries of workers and gangs were there. */
    record Jobs(int shares) implements Seen {}

    /** It failed. */
    record Unread(String why) implements Seen {}
  }

  /**
   * Idle from now on.
   *
   * @param limit how long it may be idle; null means for ever
   * @param ledger where jobs wait that this worker could serve; null if it serves none
   * @param marginMillis how far clocks may be apart
   * @param io runs what may block
   */
  Idleness(
      @Nullable Duration limit,
      @Nullable CapacityLedger ledger,
      TimeSource time,
      long marginMillis,
      Executor io) {
    this.limit = limit;
    this.ledger = ledger;
    this.time = time;
    this.marginMillis = marginMillis;
    this.io = io;
    this.since = time.monotonicNanos();
    this.lookAt = since;
  }

  /**
   * Whether it has lasted too long, and nobody waits for this worker's slots; to be asked again and
   * again, as a look takes a while. Returns at once.
   *
   * @param worked whether there was something to do since this was asked last
   */
  boolean isOver(boolean worked) {
    long now = time.monotonicNanos();
    if (worked) {
      since = now;
      unread = false;
    }
    if (limit == null) {
      return false;
    }
    Seen answer = seen.getAndSet(null);
    boolean nobody = answer != null && answered(answer, now);
    if (now - since < limit.toNanos()) {
      return false;
    }
    if (ledger == null || nobody) {
      return true;
    }
    if (!looking && now - lookAt >= 0) {
      looking = true;
      CapacityLedger asked = ledger;
      io.execute(() -> seen.set(look(asked)));
    }
    return false;
  }

  /** Whether nobody waits for it. */
  private boolean answered(Seen answer, long now) {
    looking = false;
    return switch (answer) {
      case Seen.Nobody nobody -> true;
      case Seen.Jobs jobs -> {
        since = now;
        unread = false;
        lookAt = now + Math.max(LOOK_NANOS, LOOK_PER_WORKER_NANOS * jobs.shares());
        yield false;
      }
      case Seen.Unread failed -> {
        lookAt = now + AGAIN_NANOS;
        if (!unread) {
          unread = true;
          unreadSince = now;
        }
        boolean tooLong = now - unreadSince >= UNREAD_NANOS;
        if (tooLong) {
          LOG.warn(
              "an idle worker ends without knowing whether jobs wait for its slots: {}",
              failed.why());
        }
        yield tooLong;
      }
    };
  }

  private Seen look(CapacityLedger asked) {
    try {
      LedgerView view = asked.view();
      return waits(view) ? new Seen.Jobs(view.shares().size()) : new Seen.Nobody();
    } catch (MissingResourceException e) {
      return new Seen.Nobody();
    } catch (RuntimeException | Error e) {
      // Whatever it was: a look that nobody answers would be the last.
      LOG.debug("could not look whether jobs wait: {}", e.toString());
      return new Seen.Unread(e.toString());
    }
  }

  /** Whatever its size: others may come, and then it needs this worker too. */
  private boolean waits(LedgerView view) {
    long alive = time.serviceMillis() - marginMillis;
    Reservation reservation = view.reservation();
    return (reservation != null && reservation.leaseEnd() >= alive)
        || view.waiting().stream().anyMatch(job -> job.leaseEnd() >= alive);
  }
}
