package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.Secrets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The facts about a gang that its manager needs and its state machine does not. Thread safe. */
final class ManagedGang {
  final String id;
  final String secret;

  /** Its sub-workers, by name. */
  private final Map<String, Member> members = new ConcurrentHashMap<>();

  /**
   * A sub-worker.
   *
   * @param address the address at which it answers
   * @param secret the secret that it shares with this manager only
   */
  record Member(Address address, String secret) {}

  private volatile @Nullable Serving serving;

  ManagedGang(String id, String secret) {
    this.id = id;
    this.secret = secret;
  }

  /**
   * Opens a gang, and admits its manager to it.
   *
   * @param worker its manager, whose name no other worker can take from then on
   */
  static ManagedGang open(String id, String worker, Secrets secrets, Address here) {
    String secret = Secrets.fresh();
    secrets.manage(id, secret);
    boolean unused = secrets.join(id, worker, secrets.own(id), here.fingerprint());
    return new ManagedGang(id, secret);
  }

  /** Registers a worker; false if another worker has registered under that name. */
  boolean registered(String worker, Address address, String own) {
    Member before = members.putIfAbsent(worker, new Member(address, own));
    return before == null || before.equals(new Member(address, own));
  }

  @Nullable Member member(String worker) {
    return members.get(worker);
  }

  /**
   * Handles the start of a job: forgets the ends of the previous job's ranks.
   *
   * @param ranks the ranks, by worker
   * @param captureBytes how many bytes of each output the job may keep, for all its ranks together
   */
  void begins(String job, int attempt, Map<String, List<Integer>> ranks, int captureBytes) {
    Map<Integer, String> workers = new HashMap<>();
    ranks.forEach((worker, own) -> own.forEach(rank -> workers.put(rank, worker)));
    serving =
        new Serving(
            job, attempt, Map.copyOf(workers), JobResults.share(captureBytes, workers.size()));
  }

  /**
   * Handles the end of a rank. Only the first report of each rank counts, and only for the current
   * attempt.
   */
  void ended(RankEnd end) {
    Serving now = serving;
    if (now != null) {
      now.ended(end);
    }
  }

  /** The ends of the ranks of that job, by rank; empty if the gang runs another job. */
  Map<Integer, RankEnd> ends(String job) {
    Serving now = serving;
    return now == null || !now.job.equals(job) ? Map.of() : now.ends();
  }

  /** The worker of that rank; null if it is not known. */
  @Nullable Member memberOf(int rank) {
    String worker = workers().get(rank);
    return worker == null ? null : members.get(worker);
  }

  /** Whether that worker has that rank of the current job, so that it may report its end. */
  boolean holds(String worker, int rank) {
    return worker.equals(workers().get(rank));
  }

  /** The worker of each rank. */
  Map<Integer, String> workers() {
    Serving now = serving;
    return now == null ? Map.of() : now.workers;
  }

  /**
   * One attempt at one job. Each attempt has its own instance, so that a late report about one
   * attempt is never attributed to another.
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

    /**
     * Handles the end of a rank. Keeps the whole outputs that the job may show as its own: those of
     * rank 0 and of the first rank that failed.
     */
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
