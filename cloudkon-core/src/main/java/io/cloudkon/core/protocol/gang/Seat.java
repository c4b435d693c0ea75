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

/** A sub-worker's part in one gang. */
final class Seat {
  /** More than can have copies of orders that are still to come. */
  private static final int MOST_SERVED = 1_000;

  final String gang;

  /** For which the gang forms; a reservation's slots are for its job. */
  final String job;

  private SeatPhase phase = SeatPhase.TABLE.start();

  /** Ranks that are this worker's. */
  final TreeSet<Integer> ranks = new TreeSet<>();

  /** Ranks that it asks for, with the handles of their offers. */
  final TreeMap<Integer, String> asking = new TreeMap<>();

  /** When its manager was asked last; monotonic milliseconds. */
  private long askedAt;

  /** Ranks that run, of {@link #runs} and {@link #attempt}. */
  private final TreeSet<Integer> running = new TreeSet<>();

  /** The last of the jobs' attempts whose ranks ran here. */
  private final Set<String> served = new LinkedHashSet<>();

  /** An order to start that came before the answer that its ranks are this worker's. */
  SubWorkerEvent.@Nullable StartOrdered early;

  private String runs = "";
  private int attempt;

  /** Ended, and the manager may not know. */
  private final List<GangEvent.Ended> untold = new ArrayList<>();

  /** Whatever runs must have ended by then; null before the manager's first answer. */
  private @Nullable Moment aliveUntil;

  private long startedAt;
  private long beatAt;
  private boolean beating;

  /** The manager was told, or is being told, that this worker leaves. */
  private boolean saidLeaving;

  Seat(String gang, String job) {
    this.gang = gang;
    this.job = job;
  }

  /** Whether that attempt's ranks ran here, or do. */
  boolean hasServed(SubWorkerEvent.StartOrdered order) {
    return served.contains(key(order));
  }

  /** Its ranks run that attempt. */
  void start(SubWorkerEvent.StartOrdered order, Moment now) {
    move(Trigger.START);
    runs = order.job();
    attempt = order.attempt();
    running.addAll(order.ranks());
    startedAt = now.mono();
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
    return all && phase != SeatPhase.LEAVING && !ranks.containsAll(order.ranks());
  }

  /** Whether that rank may be asked for: it is not this worker's yet, and the gang is not left. */
  boolean canTake(int rank) {
    return phase != SeatPhase.LEAVING && !ranks.contains(rank) && !asking.containsKey(rank);
  }

  /** Its manager is asked for this rank, whose offer has that handle. */
  void ask(int rank, String handle, Moment now) {
    asking.put(rank, handle);
    askedAt = now.mono();
  }

  /** Whether its manager was asked so long ago that there will be no answer. */
  boolean unanswered(long patience, Moment now) {
    return !asking.isEmpty() && now.mono() - askedAt >= patience;
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

  SeatPhase phase() {
    return phase;
  }

  /** What its ranks run, or ran last. */
  String runs() {
    return runs;
  }

  int attempt() {
    return attempt;
  }

  boolean runs(String job, int ofAttempt) {
    return runs.equals(job) && attempt == ofAttempt;
  }

  /** Whether what it runs was started before that question to its manager. */
  boolean startedBefore(Moment question) {
    return startedAt <= question.mono();
  }

  /** A rank has ended; false if it did not run. */
  boolean ended(GangEvent.Ended end) {
    if (!runs(end.job(), end.attempt()) || !running.remove(end.rank())) {
      return false;
    }
    untold.add(end);
    if (running.isEmpty()) {
      move(Trigger.ENDED);
    }
    return true;
  }

  // ---- its beats

  /** Its manager is to be told something at once. */
  void beatNow() {
    beatAt = Long.MIN_VALUE / 2;
  }

  /** Whether its manager is to be told now that this worker lives. */
  boolean beatDue(Moment now) {
    return phase != SeatPhase.REGISTERING && !beating && now.mono() >= beatAt;
  }

  /** Its manager is told which ranks have ended. */
  List<GangEvent.Ended> beat(boolean leaving) {
    beating = true;
    saidLeaving = leaving;
    return List.copyOf(untold);
  }

  /** Not before that, as its manager was heard of; monotonic milliseconds. */
  void beatNotBefore(long mono) {
    beatAt = Math.max(beatAt, mono);
  }

  /** Its manager answered; the next beat is due then. */
  void beatAnswered(long nextMono) {
    beating = false;
    beatAt = nextMono;
  }

  /**
   * Its manager knows of so many ends by now. The rest, or that this worker leaves, goes at once.
   */
  void told(int ends, boolean leaving) {
    untold.subList(0, Math.min(ends, untold.size())).clear();
    if (!untold.isEmpty() || (leaving && !saidLeaving)) {
      beatNow();
    }
  }

  /** Its manager did not answer. */
  void beatFailed(long nextMono) {
    beating = false;
    saidLeaving = false;
    beatAt = nextMono;
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(gang, phase, ranks);
  }

  void move(Trigger trigger) {
    phase = SeatPhase.TABLE.next(phase, trigger);
  }
}
