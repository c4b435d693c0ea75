package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A gang at its manager: its state, the holders of its ranks, and the jobs that are placed on it.
 */
final class Gang {
  private static final double WEIGHT = 0.3;

  /** A job may wait behind another one that is expected to take less than this, in milliseconds. */
  private static final long SHORT_MILLIS = 1_000;

  final String id;
  final int size;

  /** The job with whose reservation the gang was admitted; empty if there was no reservation. */
  final String reservedFor;

  private final RankHolders holders;

  /** The attempts of jobs that it has served. */
  private final Set<String> served = new HashSet<>();

  private GangState state = GangState.start();

  /** The job that it serves or will serve first. */
  private @Nullable Job current;

  /** The job that it will serve after that. */
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

  /** Whether it still needs sub-workers. */
  boolean fills() {
    return state instanceof GangState.Filling;
  }

  /** The attempt that it runs or stops; null if there is none. */
  @Nullable GangRun run() {
    return state instanceof GangState.Running running ? running.run() : null;
  }

  /** Whether its ranks run and are not being stopped. */
  boolean serves() {
    return state instanceof GangState.Serving || state instanceof GangState.ServingLast;
  }

  boolean breaks() {
    return state instanceof GangState.Breaking;
  }

  // ---- its ranks

  /**
   * Registers a sub-worker.
   *
   * @return those of the requested ranks that belong to this sub-worker from now on
   */
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

  /** Records a sub-worker's heartbeat; false if it does not belong to this gang. */
  boolean beat(String worker, Moment now) {
    return holders.beat(worker, now);
  }

  /** The ranks by sub-worker. */
  Map<String, List<Integer>> ranks() {
    return holders.ranks();
  }

  List<Integer> vacant() {
    return holders.vacant();
  }

  List<String> workers() {
    return holders.workers();
  }

  /** Records that a sub-worker could not be reached. */
  void lose(String worker) {
    holders.lose(worker);
  }

  /** Whether a sub-worker is lost, or has been silent for so long that it counts as lost. */
  boolean anyLost(Moment now) {
    holders.loseSilent(now);
    return holders.anyLost();
  }

  // ---- its states

  /**
   * Offers its ranks; returns when the gang is dissolved unless it is full.
   *
   * @param timeout the time to fill, from the first offers on, in milliseconds
   */
  long offer(GangState.Forming forming, long timeout, Moment now) {
    long deadline = forming.first() ? now.mono() + timeout : forming.deadline();
    state = state.offer(deadline);
    return deadline;
  }

  void offerFailed(Set<Integer> ranks) {
    state = state.offerFailed(ranks);
  }

  /** Whether it cannot fill any more, because its time is over or a sub-worker leaves. */
  boolean cannotFill(Moment now) {
    return state instanceof GangState.Abandoned || overdue(now);
  }

  /** Whether its time to fill is over. */
  boolean overdue(Moment now) {
    return state instanceof GangState.Filling filling && now.mono() >= filling.deadline();
  }

  /** Makes the current job the last one, because others need its slots or a sub-worker leaves. */
  void retire() {
    state = state.retire();
  }

  /** Records that its ranks run its job. */
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

  /** Whether nothing of the attempt runs any more. */
  boolean over(GangRun run, Moment now) {
    return run.over(rank -> holders.over(rank, now));
  }

  /**
   * Records that nothing runs any more; returns the job that it ran, or null if the job was taken
   * from it.
   */
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

  /** Sets the job for which it was admitted. */
  void opensFor(Job job) {
    current = job;
  }

  /** Takes the job if it can be served here now or next. */
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
   * Whether that attempt of the job ran here before. To be tried again it needs another gang,
   * because a sub-worker's report of a rank's end does not distinguish two tries.
   */
  boolean hasServed(Job job) {
    return served.contains(key(job));
  }

  /** Forgets a job that this manager no longer holds: it does not return with the same attempt. */
  void forget(Job job) {
    served.remove(key(job));
  }

  private static String key(Job job) {
    return job.id() + '#' + job.machine().attempt();
  }

  /** Moves the next job to the first place, before jobs that were placed later. */
  void promote() {
    if (current == null && state instanceof GangState.Standing) {
      current = next;
      next = null;
    }
  }

  boolean isPlacedHere(Job job) {
    return job.equals(current) || job.equals(next);
  }

  /** Removes the job from this gang. */
  void letGo(Job job) {
    if (job.equals(next)) {
      next = null;
    } else if (job.equals(current)) {
      current = null;
    }
  }

  /**
   * Releases the next job if the current one takes longer than expected; null if there is none to
   * release.
   */
  @Nullable Job letGoOverdue(Moment now) {
    if (run() == null || soonFree(now, 2 * SHORT_MILLIS)) {
      return null;
    }
    return letGoNext();
  }

  /** Releases the next job; null if there was none. */
  @Nullable Job letGoNext() {
    Job job = next;
    next = null;
    return job;
  }

  /** Releases the job that it serves or was to serve first; null if there was none. */
  @Nullable Job letGoCurrent() {
    Job job = current;
    current = null;
    return job;
  }

  /**
   * Whether the current job will probably be over before another manager could serve the next one.
   */
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
