package io.cloudkon.worker.gang;

import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.RankEnd;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** What a manager knows of its gang that its machine need not. Thread safe. */
final class ManagedGang {
  final String id;
  final String secret;

  /** Where its sub-workers answer. */
  private final Map<String, Address> addresses = new ConcurrentHashMap<>();

  /** Which worker has which rank. */
  private final Map<Integer, String> workers = new ConcurrentHashMap<>();

  private final Map<Integer, RankEnd> ends = new ConcurrentSkipListMap<>();
  private volatile String job = "";
  private volatile int attempt;

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

  /** A job begins: forgets how the last one ended. */
  void begins(String newJob, int newAttempt, Map<String, List<Integer>> ranks) {
    ends.clear();
    workers.clear();
    ranks.forEach((worker, own) -> own.forEach(rank -> workers.put(rank, worker)));
    job = newJob;
    attempt = newAttempt;
  }

  /** Whether it runs that job, or ran it last. */
  boolean runs(String which) {
    return job.equals(which);
  }

  /** A rank has ended; the first word counts, and of its own job only. */
  void ended(RankEnd end) {
    if (end.job().equals(job) && end.attempt() == attempt) {
      ends.putIfAbsent(end.rank(), end);
    }
  }

  /** How its ranks ended, by rank. */
  Map<Integer, RankEnd> ends() {
    return new TreeMap<>(ends);
  }

  /** Where each rank answers, by rank; null where a worker is not known. */
  @Nullable Address addressOf(int rank) {
    String worker = workers.get(rank);
    return worker == null ? null : addresses.get(worker);
  }

  /** On which worker each rank runs. */
  Map<Integer, String> workers() {
    return Map.copyOf(workers);
  }
}
