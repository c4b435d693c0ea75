package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One gang at its manager: its state, who has its ranks, and the jobs that are placed on it. */
final class Gang {
  private static final double WEIGHT = 0.3;

  /** A job may wait behind another that is likely to take less than this, in milliseconds. */
  private static final long SHORT_MILLIS = 1_000;

  final String id;
  final int size;

  /** The job whose reservation it was admitted by; empty if it was not. */
  final String reservedFor;

  private final RankHolders holders;

  /** Each job's attempts that it has served. */
  private final Set<String> served = new HashSet<>();

  private GangState state = GangState.start();

  /** What it serves, or is to serve first. */
  private @Nullable Job current;

  /** What it serves after that. */
  private @Nullable Job next;

  private double meanMillis = Double.NaN;

  Gang(String id, int size, String reservedFor, GangSettings settings) {
    this.id = id;
    this.size = size;
    this.reservedFor = reservedFor;
    this.holders = new RankHolders(size, settings);
  }

  GangState state() {
    return state;
  }

  /** It still looks for sub-workers. */
  boolean fills() {
    return state instanceof GangState.Filling;
  }

  /** What it runs, or is ending; null if nothing. */
  @Nullable GangRun run() {
    return state instanceof GangState.Running running ? running.run() : null;
  }

  /** Its ranks run, and nothing ends them. */
  boolean serves() {
    return state instanceof GangState.Serving || state instanceof GangState.ServingLast;
  }

  boolean breaks() {
    return state instanceof GangState.Breaking;
  }

  // ---- its ranks

  /** Ranks of those asked for that are this sub-worker's from now on. */
  List<Integer> register(String worker, List<Integer> ranks, Moment now) {
    if (breaks() || state instanceof GangState.Gone) {
      return List.of();
    }
    List<Integer> accepted = holders.register(worker, ranks, fills(), now);
    if (fills() && holders.vacant().isEmpty()) {
      state = state.full(now);
    }
    return accepted;
  }

  /** A sub-worker's beat; false if it is none of this gang. */
  boolean beat(String worker, Moment now) {
    return holders.beat(worker, now);
  }

  /** Which of its sub-workers have which ranks. */
  Map<String, List<Integer>> ranks() {
    return holders.ranks();
  }

  List<Integer> vacant() {
    return holders.vacant();
  }

  List<String> workers() {
    return holders.workers();
  }

  /** A sub-worker could not be reached. */
  void lose(String worker) {
    holders.lose(worker);
  }

  /** Whether a sub-worker is lost, or was not heard of for so long that it counts as lost. */
  boolean anyLost(Moment now) {
    holders.loseSilent(now);
    return holders.anyLost();
  }

  // ---- its states

  /**
   * Its ranks go on offer; says when it is dissolved unless it is full.
   *
   * @param timeout how long it has to fill from its first offers on, in milliseconds
   */
  long offer(GangState.Forming forming, long timeout, Moment now) {
    boolean first = forming.deadline() == GangState.NO_DEADLINE;
    long deadline = first ? now.mono() + timeout : forming.deadline();
    state = state.offer(deadline);
    return deadline;
  }

  void offerFailed() {
    state = state.offerFailed();
  }

  /** It can fill no more: its time is over, or a sub-worker leaves. */
  boolean cannotFill(Moment now) {
    return state instanceof GangState.Abandoned
        || (state instanceof GangState.Filling filling && now.mono() >= filling.deadline());
  }

  /** Others count on its slots, or a sub-worker leaves: it serves what it serves, and no more. */
  void retire() {
    state = state.retire();
  }

  /** Its ranks run its job. */
  void serve(Job job, Moment now) {
    served.add(key(job));
    state = state.serve(new GangRun(job.id(), job.machine().attempt(), size, now.mono()));
  }

  void stop() {
    state = state.stop();
  }

  void breakUp(GangRun run) {
    state = state.breakUp(run);
  }

  /** Whether nothing of it runs any more. */
  boolean over(GangRun run, Moment now) {
    return run.over(rank -> holders.over(rank, now));
  }

  /** Nothing of it runs any more; says which job it ran, null if that was taken from it. */
  @Nullable Job ended(GangRun run, Moment now) {
    if (!breaks()) {
      long took = run.age(now.mono());
      meanMillis = Double.isNaN(meanMillis) ? took : meanMillis + WEIGHT * (took - meanMillis);
    }
    state = state.ended(now);
    Job job = current;
    current = null;
    return job;
  }

  void dissolve() {
    state = state.dissolve();
  }

  // ---- its jobs

  @Nullable Job current() {
    return current;
  }

  /** The job for which it was admitted. */
  void opensFor(Job job) {
    current = job;
  }

  /** Takes the job if it is its turn here, now or next. */
  boolean takes(Job job, Moment now) {
    if (hasServed(job)) {
      return false;
    }
    if (current == null && (fills() || state instanceof GangState.Standing)) {
      current = job;
      return true;
    }
    if (next == null && soonFree(now, SHORT_MILLIS)) {
      next = job;
      return true;
    }
    return false;
  }

  /**
   * Whether that attempt of the job ran here before: tried again, it needs another gang, as what a
   * sub-worker says of a rank's end does not tell one try from the next.
   */
  boolean hasServed(Job job) {
    return served.contains(key(job));
  }

  /** The job is in these hands no more: it does not come back under this attempt. */
  void forget(Job job) {
    served.remove(key(job));
  }

  private static String key(Job job) {
    return job.id() + '#' + job.machine().attempt();
  }

  /** What was to come next comes before whatever has come since. */
  void promote() {
    if (current == null && state instanceof GangState.Standing) {
      current = next;
      next = null;
    }
  }

  boolean isPlacedHere(Job job) {
    return job.equals(current) || job.equals(next);
  }

  /** The job is not its any more. */
  void letGo(Job job) {
    if (job.equals(next)) {
      next = null;
    } else if (job.equals(current)) {
      current = null;
    }
  }

  /** Lets go what was to come next, if what runs takes longer than was likely; null if not. */
  @Nullable Job letGoOverdue(Moment now) {
    if (run() == null || soonFree(now, 2 * SHORT_MILLIS)) {
      return null;
    }
    return letGoNext();
  }

  /** Lets go what was to come next; null if nothing was. */
  @Nullable Job letGoNext() {
    Job job = next;
    next = null;
    return job;
  }

  /** Lets go what it serves, or was to serve first; null if nothing was. */
  @Nullable Job letGoCurrent() {
    Job job = current;
    current = null;
    return job;
  }

  /** Whether what it runs is likely to be over before another manager could serve the next. */
  private boolean soonFree(Moment now, long within) {
    return state instanceof GangState.Serving serving
        && meanMillis < within
        && serving.run().age(now.mono()) < within;
  }

  @Override
  public String toString() {
    return "%s %s of %d, %s, %s".formatted(id, state.phase(), size, ranks(), run());
  }
}
