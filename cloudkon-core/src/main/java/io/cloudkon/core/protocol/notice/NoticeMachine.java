package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.notice.NoticePhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Decides when a worker leaves a machine that its cloud is about to reclaim. Pure; used by one
 * thread at a time.
 *
 * <ul>
 *   <li>Interruption: it drains at once, and running tasks are killed 30 s before the end.
 *   <li>Rebalance recommendation: it announces this, so that a provisioner launches another worker,
 *       and drains when that worker is there. To drain at once would leave the fleet without all
 *       workers that get the recommendation together.
 *   <li>Maintenance: it announces this five minutes before its drain, and drains as late as a
 *       complete drain allows.
 * </ul>
 */
public final class NoticeMachine {
  /** Later than any time. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * Running tasks are killed this long before the machine is gone, so that results and claims can
   * be written.
   */
  static final long RESERVE_MILLIS = 30_000;

  /** Maintenance is announced this long before the drain, so that another worker can boot. */
  static final long AHEAD_MILLIS = 300_000;

  /** The minimum time between two readings that look for a replacement. */
  static final long LOOK_MILLIS = 10_000;

  /** The additional time per worker at the last reading, because a reading reads all of them. */
  static final long LOOK_PER_WORKER_MILLIS = 50;

  private final String worker;
  private final long drainMillis;
  private final List<NoticeEffect> effects = new ArrayList<>();
  private NoticePhase phase = NoticePhase.TABLE.start();

  /** The workers whose machines are likely to be reclaimed, as seen while this one waits. */
  private final TreeSet<String> noticed = new TreeSet<>();

  /** The time at which this worker's recommendation was noticed; service clock. */
  private long noticedAt;

  /** The time of the next reading of the registry; monotonic milliseconds. */
  private long lookAt;

  /** The number of workers at the last reading. */
  private int workers;

  /** The next maintenance; service clock. */
  private long maintenanceAt = NEVER;

  /** The time at which running tasks are killed; service clock. */
  private long leaveBy = NEVER;

  /**
   * A worker on a machine without announcements.
   *
   * @param worker its id
   * @param drainMillis its drain timeout, in milliseconds
   */
  public NoticeMachine(String worker, long drainMillis) {
    this.worker = worker;
    this.drainMillis = drainMillis;
  }

  /** The current phase. */
  public NoticePhase phase() {
    return phase;
  }

  /** Processes an event and returns the effects. */
  public List<NoticeEffect> on(NoticeEvent event, Moment now) {
    switch (event) {
      case NoticeEvent.Interruption end ->
          leave(
              Trigger.INTERRUPTION,
              Notice.INTERRUPTION,
              end.atMillis() == NEVER ? NEVER : end.atMillis() - RESERVE_MILLIS,
              now);
      case NoticeEvent.Rebalance rebalance -> rebalance(now);
      case NoticeEvent.Maintenance maintenance -> maintenance(maintenance.notBefore(), now);
      case NoticeEvent.Workers seen -> seen(seen.entries(), now);
      case NoticeEvent.Tick tick -> {}
    }
    appointed(now);
    look(now);
    List<NoticeEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** Drains, unless it already drains with the same or less time. */
  private void leave(Trigger trigger, Notice why, long by, Moment now) {
    boolean leaves = phase == NoticePhase.LEAVING;
    if (leaves && by >= leaveBy) {
      return;
    }
    move(trigger);
    leaveBy = Math.min(leaveBy, by);
    long within = leaveBy == NEVER ? NEVER : Math.max(0, leaveBy - now.service());
    effects.add(new NoticeEffect.Announce(why));
    effects.add(new NoticeEffect.Drain(why, within));
  }

  private void rebalance(Moment now) {
    if (NoticePhase.TABLE.allows(phase, Trigger.REBALANCE)) {
      move(Trigger.REBALANCE);
      noticed.add(worker);
      noticedAt = now.service();
      lookAt = now.mono();
      effects.add(new NoticeEffect.Announce(Notice.REBALANCE));
    }
  }

  /**
   * Looks for this worker's replacement. One replacement does not release two workers: workers
   * leave in the order of their ids, each when there is a replacement for it.
   */
  private void seen(List<WorkerEntry> entries, Moment now) {
    workers = entries.size();
    if (phase != NoticePhase.REPLACING) {
      return;
    }
    List<WorkerEntry> staying =
        entries.stream()
            .filter(entry -> entry.livesAt(now.service()) && entry.takesWork())
            .toList();
    staying.stream()
        .filter(entry -> !entry.notice().isEmpty())
        .forEach(entry -> noticed.add(entry.id()));
    long replacements =
        staying.stream()
            .filter(entry -> entry.notice().isEmpty() && entry.sinceMillis() > noticedAt)
            .count();
    if (replacements > noticed.headSet(worker).size()) {
      leave(Trigger.REPLACED, Notice.REBALANCE, NEVER, now);
    }
  }

  /**
   * Handles scheduled maintenance. Maintenance that was due before the first reading may be over
   * and is ignored.
   */
  private void maintenance(List<Long> notBefore, Moment now) {
    maintenanceAt =
        notBefore.stream()
            .filter(at -> at > now.service() || at == maintenanceAt)
            .min(Long::compare)
            .orElse(NEVER);
  }

  private void appointed(Moment now) {
    long drainAt = maintenanceAt == NEVER ? NEVER : maintenanceAt - drainMillis - RESERVE_MILLIS;
    boolean near = drainAt != NEVER && now.service() >= drainAt - AHEAD_MILLIS;
    if (now.service() >= drainAt) {
      if (phase != NoticePhase.LEAVING) {
        leave(Trigger.DUE, Notice.MAINTENANCE, maintenanceAt - RESERVE_MILLIS, now);
      }
    } else if (near && phase == NoticePhase.CALM) {
      move(Trigger.MAINTENANCE);
      effects.add(new NoticeEffect.Announce(Notice.MAINTENANCE));
    } else if (!near && phase == NoticePhase.CLOSING) {
      move(Trigger.CANCELLED);
      effects.add(new NoticeEffect.Announce(Notice.NONE));
    }
  }

  private void look(Moment now) {
    if (phase == NoticePhase.REPLACING && now.mono() >= lookAt) {
      lookAt = now.mono() + LOOK_MILLIS + LOOK_PER_WORKER_MILLIS * workers;
      effects.add(new NoticeEffect.LookForReplacement());
    }
  }

  private void move(Trigger trigger) {
    phase = NoticePhase.TABLE.next(phase, trigger);
  }
}
