package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.Standing;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a sub-worker's heartbeats, which carry the ends of its ranks with their outputs. Once a
 * manager's link was too slow for such a report, the ends go beside plain heartbeats, with a longer
 * timeout after each failure: otherwise the same report would fail again and again, and the manager
 * would take this worker for dead. Thread safe; each gang has one heartbeat at a time.
 */
final class RankReports {
  private static final Logger LOG = LoggerFactory.getLogger(RankReports.class);

  /** How long a plain heartbeat waits for the ends beside it; well below a manager's patience. */
  private static final long WAIT_MILLIS = 1_000;

  private final String worker;
  private final UntoldEnds untold;
  private final TimeSource time;
  private final Executor io;

  /**
   * Reports of a worker.
   *
   * @param worker this worker's id
   * @param untold the ends of its ranks
   * @param io runs the calls beside heartbeats
   */
  RankReports(String worker, UntoldEnds untold, TimeSource time, Executor io) {
    this.worker = worker;
    this.untold = untold;
    this.time = time;
    this.io = io;
  }

  /**
   * Makes a heartbeat and returns its outcome; blocks.
   *
   * @param gang null if the gang is gone
   */
  SubWorkerEvent made(SubWorkerEffect.Beat beat, ServedGangs.@Nullable Served gang) {
    String id = beat.gang();
    Moment begun = time.now();
    try {
      List<GangEvent.Ended> told = untold.reportable(id, beat.ended());
      Standing standing = Standing.GONE;
      if (gang != null) {
        boolean beside = gang.link().isSlow() && !told.isEmpty();
        standing =
            beside ? gang.manager().report(id, report(beat, List.of())) : whole(gang, beat, told);
        if (beside && standing.known()) {
          told = delivered(gang, beat, told);
        }
      }
      untold.told(id, told);
      return new SubWorkerEvent.Answered(
          id, standing.known(), standing.leaseMillis(), told.size(), begun);
    } catch (HpcCallException e) {
      LOG.debug("no answer to a beat: {}", e.getMessage());
      // A manager that refuses the call does not know the gang any more.
      return e.kind() == HpcCallException.Kind.REFUSED
          ? new SubWorkerEvent.Answered(id, false, 0, 0, begun)
          : new SubWorkerEvent.BeatFailed(id);
    } catch (RuntimeException | Error e) {
      // Catches everything, because a beat without an answer would be the last one.
      LOG.error("could not report the state of ranks to the manager of gang {}", id, e);
      return new SubWorkerEvent.BeatFailed(id);
    }
  }

  private Report report(SubWorkerEffect.Beat beat, List<GangEvent.Ended> told) {
    RankEnd[] ends = untold.ends(beat.gang(), told).toArray(RankEnd[]::new);
    return new Report(worker, ends, beat.leaving());
  }

  private Standing whole(
      ServedGangs.Served gang, SubWorkerEffect.Beat beat, List<GangEvent.Ended> told) {
    try {
      return gang.manager().report(beat.gang(), report(beat, told));
    } catch (HpcCallException e) {
      if (e.kind() == HpcCallException.Kind.TIMED_OUT && !told.isEmpty()) {
        gang.link().failed();
      }
      throw e;
    }
  }

  /**
   * Sends ends over a slow link, unless some are under way; returns those that have arrived. If
   * they did not arrive, the manager has answered the plain heartbeat nevertheless.
   *
   * @throws HpcCallException if the manager refuses them, because it does not know the gang any
   *     more
   */
  private List<GangEvent.Ended> delivered(
      ServedGangs.Served gang, SubWorkerEffect.Beat beat, List<GangEvent.Ended> told) {
    ReportLink link = gang.link();
    ReportLink.Delivery delivery = link.delivery;
    if (delivery == null) {
      Report report = report(beat, told);
      int times = link.times();
      delivery =
          new ReportLink.Delivery(
              List.copyOf(told),
              new FutureTask<>(() -> gang.manager().report(beat.gang(), report, times)));
      link.delivery = delivery;
      io.execute(delivery.answer());
    }
    try {
      var unused = delivery.answer().get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      link.delivery = null;
      return delivery.ends();
    } catch (TimeoutException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (ExecutionException e) {
      link.delivery = null;
      link.failed();
      switch (e.getCause()) {
        case HpcCallException call when call.kind() == HpcCallException.Kind.REFUSED -> throw call;
        case HpcCallException call ->
            LOG.debug("ends of ranks did not arrive beside a beat: {}", call.getMessage());
        case null, default ->
            LOG.error("could not report ends of ranks to the manager of gang {}", beat.gang(), e);
      }
      return List.of();
    }
  }
}
