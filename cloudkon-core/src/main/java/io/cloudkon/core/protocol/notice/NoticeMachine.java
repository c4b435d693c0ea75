package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.notice.NoticePhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Decides when a worker leaves a machine that its cloud is about to take away. Pure; used by one
 * thread at a time.
 *
 * <ul>
 *   <li>Interrupted: it drains at once, and what runs is killed 30 s before the end.
 *   <li>Rebalance: it says so, for a provisioner to launch another worker, and drains once that is
 *       there. To drain at once would leave the fleet short by all that are recommended together.
 *   <li>Maintenance: it says so five minutes ahead of its drain, and drains as late as a whole
 *       drain has room.
 * </ul>
 */
public final class NoticeMachine {
  /** Later than any time. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What runs is killed so long before the machine is gone: its results and claims have to go. */
  static final long RESERVE_MILLIS = 30_000;

  /** Maintenance is announced so long before the drain: another worker boots in that time. */
  static final long AHEAD_MILLIS = 300_000;

  /** Between two looks for a replacement, at least. */
  static final long LOOK_MILLIS = 10_000;

  /** And for each worker that the last one found: a look reads them all. */
  static final long LOOK_PER_WORKER_MILLIS = 50;

  private final String worker;
  private final long drainMillis;
  private final List<NoticeEffect> effects = new ArrayList<>();
  private NoticePhase phase = NoticePhase.TABLE.start();

  /** Workers whose machines are likely to be taken away, as far as was seen while this waits. */
  private final TreeSet<String> noticed = new TreeSet<>();

  /** Since when its machine is; service clock. */
  private long noticedAt;

  /** When to look next; monotonic milliseconds. */
  private long lookAt;

  /** How many workers there were. */
  private int workers;

  /** The next maintenance; service clock. */
  private long maintenanceAt = NEVER;

  /** When what runs is killed; service clock. */
  private long leaveBy = NEVER;

  /**
   * A worker of whose machine nothing is announced.
   *
   * @param worker its id
   * @param drainMillis its drain timeout
   */
  public NoticeMachine(String worker, long drainMillis) {
    this.worker = worker;
    this.drainMillis = drainMillis;
  }

  /** How far it is. */
  public NoticePhase phase() {
    return phase;
  }

  /** Event in, effects out. */
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

  /** Drains, unless it does already and has as little time. */
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
   * One replacement does not make room for two: workers leave in the order of their ids, each when
   * it has one to itself.
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

  /** Maintenance that was due before anybody looked may be over: nobody leaves for that. */
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
