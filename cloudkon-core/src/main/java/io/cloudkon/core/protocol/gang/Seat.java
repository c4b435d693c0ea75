package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.SeatPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A sub-worker's part in one gang. */
final class Seat {
  /** More attempts than can have copies of orders that may still arrive. */
  private static final int MOST_SERVED = 1_000;

  final String gang;

  /** The job for which the gang forms, because slots of a reservation are for its job only. */
  final String job;

  private SeatPhase phase = SeatPhase.TABLE.start();

  /** The ranks that belong to this worker. */
  final TreeSet<Integer> ranks = new TreeSet<>();

  /** The ranks that it has requested, with the handles of their offers. */
  final TreeMap<Integer, String> asking = new TreeMap<>();

  /** The time of its last request to its manager; monotonic milliseconds. */
  private long askedAt;

  /** The running ranks of {@link #runs} and {@link #attempt}. */
  private final TreeSet<Integer> running = new TreeSet<>();

  /** The most recent attempts of jobs whose ranks ran here. */
  private final RecentKeys served = new RecentKeys(MOST_SERVED);

  /** An order to start that arrived before the answer that grants its ranks. */
  SubWorkerEvent.@Nullable StartOrdered early;

  private String runs = "";
  private int attempt;

  /** The ranks that have ended and whose end the manager may not know. */
  private final List<GangEvent.Ended> untold = new ArrayList<>();

  /** The time by which its ranks must have ended; null before the manager's first answer. */
  private @Nullable Moment aliveUntil;

  private long startedAt;
  private long beatAt;
  private boolean beating;

  /** Whether the manager was told, or is being told, that this worker leaves. */
  private boolean saidLeaving;

  Seat(String gang, String job) {
    this.gang = gang;
    this.job = job;
  }

  /** Whether ranks of that attempt run here or ran before. */
  boolean hasServed(SubWorkerEvent.StartOrdered order) {
    return served.contains(key(order));
  }

  /** Records that its ranks run that attempt. */
  void start(SubWorkerEvent.StartOrdered order, Moment now) {
    move(Trigger.START);
    runs = order.job();
    attempt = order.attempt();
    running.addAll(order.ranks());
    startedAt = now.mono();
    boolean unused = served.add(key(order));
  }

  private static String key(SubWorkerEvent.StartOrdered order) {
    return order.job() + '#' + order.attempt();
  }

  /** Whether a request for some of the order's ranks is still unanswered. */
  boolean awaits(SubWorkerEvent.StartOrdered order) {
    boolean all =
        order.ranks().stream().allMatch(rank -> ranks.contains(rank) || asking.containsKey(rank));
    return all && phase != SeatPhase.LEAVING && !ranks.containsAll(order.ranks());
  }

  /**
   * Whether that rank may be requested, because it does not belong to this worker yet and the gang
   * was not left.
   */
  boolean canTake(int rank) {
    return phase != SeatPhase.LEAVING && !ranks.contains(rank) && !asking.containsKey(rank);
  }

  /** Records that this rank, whose offer has that handle, was requested. */
  void ask(int rank, String handle, Moment now) {
    asking.put(rank, handle);
    askedAt = now.mono();
  }

  /** Whether the last request is so old that it counts as unanswered. */
  boolean unanswered(long patience, Moment now) {
    return !asking.isEmpty() && now.mono() - askedAt >= patience;
  }

  /** The number of slots that it uses. */
  int slots() {
    return ranks.size() + asking.size();
  }

  /**
   * Extends the time for which ranks may run, counted from {@code begun}, when the answered request
   * was made. An older answer never shortens the time of a newer one.
   */
  void alive(Moment begun, long leaseMillis, GangSettings settings) {
    long byLease = leaseMillis == 0 ? settings.silence() : leaseMillis - settings.lease().margin();
    Moment until = begun.lease(Math.min(byLease, settings.silence()));
    Moment before = aliveUntil;
    aliveUntil =
        before == null
            ? until
            : new Moment(
                Math.max(before.mono(), until.mono()), Math.max(before.service(), until.service()));
  }

  /**
   * Whether its manager was silent for too long, by both clocks, because the monotonic clock of a
   * machine that slept stood still.
   */
  boolean over(Moment now) {
    return aliveUntil != null && now.eitherPast(aliveUntil);
  }

  SeatPhase phase() {
    return phase;
  }

  /** The job that its ranks run or ran last. */
  String runs() {
    return runs;
  }

  int attempt() {
    return attempt;
  }

  boolean runs(String job, int ofAttempt) {
    return runs.equals(job) && attempt == ofAttempt;
  }

  /**
   * Whether the current ranks were started before that request to its manager. Within the same
   * millisecond nobody knows: the answer may be about the job before, and a manager that wants the
   * ranks to stop says so again.
   */
  boolean startedBefore(Moment question) {
    return startedAt < question.mono();
  }

  /** Records the end of a rank; false if it did not run. */
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

  /** Makes the next heartbeat due at once. */
  void beatNow() {
    beatAt = Long.MIN_VALUE / 2;
  }

  /** Whether a heartbeat is due now. */
  boolean beatDue(Moment now) {
    return phase != SeatPhase.REGISTERING && !beating && now.mono() >= beatAt;
  }

  /** Starts a heartbeat and returns the ends to report. */
  List<GangEvent.Ended> beat(boolean leaving) {
    beating = true;
    saidLeaving = leaving;
    return List.copyOf(untold);
  }

  /**
   * Postpones the next heartbeat to this time, because the manager has just answered; monotonic
   * milliseconds.
   */
  void beatNotBefore(long mono) {
    beatAt = Math.max(beatAt, mono);
  }

  /** Records that its manager answered; the next heartbeat is due at that time. */
  void beatAnswered(long nextMono) {
    beating = false;
    beatAt = nextMono;
  }

  /**
   * Records the number of ends that its manager now knows. The remaining ones, or the announcement
   * that this worker leaves, are sent at once.
   */
  void told(int ends, boolean leaving) {
    untold.subList(0, Math.min(ends, untold.size())).clear();
    if (!untold.isEmpty() || (leaving && !saidLeaving)) {
      beatNow();
    }
  }

  /** Records that its manager did not answer. */
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
