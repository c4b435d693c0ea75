package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.SeatPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a sub-worker has of one gang. */
final class Seat {
  /** More than can have copies of orders that are still to come. */
  private static final int MOST_SERVED = 1_000;

  final String gang;

  /** For which the gang forms; a reservation's slots are for its job. */
  final String job;

  SeatPhase phase = SeatPhase.TABLE.start();

  /** Ranks that are this worker's. */
  final TreeSet<Integer> ranks = new TreeSet<>();

  /** Ranks that it asks for, with the handles of their offers. */
  final TreeMap<Integer, String> asking = new TreeMap<>();

  /** Ranks that run, of {@link #runs} and {@link #attempt}. */
  final TreeSet<Integer> running = new TreeSet<>();

  /** The last of the jobs' attempts whose ranks ran here. */
  private final Set<String> served = new LinkedHashSet<>();

  /** An order to start that came before the answer that its ranks are this worker's. */
  SubWorkerEvent.@Nullable StartOrdered early;

  String runs = "";
  int attempt;

  /** Ended, and the manager may not know. */
  final List<GangEvent.Ended> untold = new ArrayList<>();

  /** Whatever runs must have ended by then; null before the manager's first answer. */
  private @Nullable Moment aliveUntil;

  long startedAt;
  long beatAt;
  boolean beating;

  /** The manager was told, or is being told, that this worker leaves. */
  boolean saidLeaving;

  /** It goes as soon as nothing runs. */
  boolean leaving;

  Seat(String gang, String job) {
    this.gang = gang;
    this.job = job;
  }

  /** Whether that attempt's ranks ran here, or do. */
  boolean hasServed(SubWorkerEvent.StartOrdered order) {
    return served.contains(key(order));
  }

  void serves(SubWorkerEvent.StartOrdered order) {
    served.add(key(order));
    if (served.size() > MOST_SERVED) {
      served.remove(served.iterator().next());
    }
  }

  private static String key(SubWorkerEvent.StartOrdered order) {
    return order.job() + '#' + order.attempt();
  }

  /** Whether the answer to a question for some of its ranks is still to come. */
  boolean awaits(SubWorkerEvent.StartOrdered order) {
    boolean all =
        order.ranks().stream().allMatch(rank -> ranks.contains(rank) || asking.containsKey(rank));
    return all && !leaving && !ranks.containsAll(order.ranks());
  }

  /** Slots that it takes. */
  int slots() {
    return ranks.size() + asking.size();
  }

  /**
   * The manager answered what was asked at {@code begun}: so long may ranks live from there. An
   * older answer never shortens what a newer one gave.
   */
  void alive(Moment begun, long leaseMillis, GangSettings settings) {
    long byLease = leaseMillis == 0 ? settings.silence() : leaseMillis - settings.lease().margin();
    Moment until = begun.plus(Math.min(byLease, settings.silence()));
    Moment before = aliveUntil;
    aliveUntil =
        before == null
            ? until
            : new Moment(
                Math.max(before.mono(), until.mono()), Math.max(before.service(), until.service()));
  }

  /** Its manager was silent for too long. A machine that slept has a clock that stood still. */
  boolean over(Moment now) {
    return aliveUntil != null && now.eitherPast(aliveUntil);
  }

  boolean runsAny() {
    return phase == SeatPhase.RUNNING || phase == SeatPhase.STOPPING;
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(gang, phase, ranks);
  }

  void move(Trigger trigger) {
    phase = SeatPhase.TABLE.next(phase, trigger);
  }
}
