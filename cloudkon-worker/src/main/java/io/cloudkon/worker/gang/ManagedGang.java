package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.RankEnd;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a manager knows of its gang that its machine need not. Thread safe. */
final class ManagedGang {
  final String id;
  final String secret;

  /** Where its sub-workers answer. */
  private final Map<String, Address> addresses = new ConcurrentHashMap<>();

  private volatile @Nullable Serving serving;

  ManagedGang(String id, String secret) {
    this.id = id;
    this.secret = secret;
  }

  void registered(String worker, Address address) {
    addresses.put(worker, address);
  }

  @Nullable Address address(String worker) {
    return addresses.get(worker);
  }

  /**
   * A job begins: forgets how the last one ended.
   *
   * @param ranks by worker
   * @param captureBytes how much of each output the job may keep, for all its ranks together
   */
  void begins(String job, int attempt, Map<String, List<Integer>> ranks, int captureBytes) {
    Map<Integer, String> workers = new HashMap<>();
    ranks.forEach((worker, own) -> own.forEach(rank -> workers.put(rank, worker)));
    serving =
        new Serving(
            job, attempt, Map.copyOf(workers), JobResults.share(captureBytes, workers.size()));
  }

  /** Whether it runs that job, or ran it last. */
  boolean runs(String which) {
    Serving now = serving;
    return now != null && now.job.equals(which);
  }

  /** A rank has ended; the first word counts, and of its own job only. */
  void ended(RankEnd end) {
    Serving now = serving;
    if (now != null) {
      now.ended(end);
    }
  }

  /** How the ranks of that job ended, by rank; none if it runs another. */
  Map<Integer, RankEnd> ends(String job) {
    Serving now = serving;
    return now == null || !now.job.equals(job) ? Map.of() : now.ends();
  }

  /** Where each rank answers, by rank; null where a worker is not known. */
  @Nullable Address addressOf(int rank) {
    String worker = workers().get(rank);
    return worker == null ? null : addresses.get(worker);
  }

  /** On which worker each rank runs. */
  Map<Integer, String> workers() {
    Serving now = serving;
    return now == null ? Map.of() : now.workers;
  }

  /**
   * One attempt at one job. The next one has its own: a word about this one that comes late is
   * never taken for one about that.
   */
  private static final class Serving {
    private final String job;
    private final int attempt;
    private final Map<Integer, String> workers;
    private final int share;
    private final Map<Integer, RankEnd> ends = new TreeMap<>();
    private boolean anyFailed;

    Serving(String job, int attempt, Map<Integer, String> workers, int share) {
      this.job = job;
      this.attempt = attempt;
      this.workers = workers;
      this.share = share;
    }

    /** What the job shows as its own is kept as it is: of rank 0, and of the first that failed. */
    synchronized void ended(RankEnd end) {
      boolean another = !end.job().equals(job) || end.attempt() != attempt;
      if (another || ends.containsKey(end.rank())) {
        return;
      }
      boolean failed = EndedRanks.news(end).how() == GangEvent.How.FAILED;
      boolean shown = end.rank() == 0 || (failed && !anyFailed);
      anyFailed |= failed;
      ends.put(end.rank(), shown ? end : end.keeping(share));
    }

    synchronized Map<Integer, RankEnd> ends() {
      return new TreeMap<>(ends);
    }
  }
}
