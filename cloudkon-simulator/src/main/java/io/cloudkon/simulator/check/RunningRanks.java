package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tracks the ranks of each job and attempt that run. Checks that ranks of two attempts never run at
 * the same time.
 */
public final class RunningRanks {
  private final Map<String, List<Rank>> running = new HashMap<>();
  private final Map<String, Set<Integer>> attempts = new HashMap<>();
  private final Map<String, Integer> slots = new HashMap<>();

  /** The ranks that ended well, by job and attempt. */
  private final Map<String, BitSet> well = new HashMap<>();

  private long started;

  private record Rank(SimProcess process, int attempt, int rank) {
    /**
     * Whether the rank runs. A stopped process runs nothing, because what it started is ended for
     * it.
     */
    boolean runs() {
      return !process.dead() && !process.paused();
    }
  }

  /** Checks a manager's order to start the ranks of a job. */
  public void ordered(Request job, int size, int there) {
    if (there != size) {
      throw new Violation("job %s is started with %d of %d ranks", job, there, size);
    }
  }

  /** Records and checks the start of a rank. */
  public void starts(SimProcess process, int slotsThere, Request job, int attempt, int rank) {
    List<Rank> all = running.computeIfAbsent(job.id(), id -> new ArrayList<>());
    for (Rank other : all) {
      if (other.runs() && (other.attempt() != attempt || other.rank() == rank)) {
        throw new Violation(
            "rank %d of %s starts on %s under attempt %d, and rank %d runs on %s under attempt %d",
            rank,
            job,
            process.name(),
            attempt,
            other.rank(),
            other.process().name(),
            other.attempt());
      }
    }
    Set<Integer> before = attempts.computeIfAbsent(job.id(), id -> new HashSet<>());
    before.add(attempt);
    if (job.run().consistency() == Consistency.AT_MOST_ONCE && before.size() > 1) {
      throw new Violation("ranks of %s started under attempts %s", job, before);
    }
    int used = slots.merge(process.name(), 1, Integer::sum);
    if (used > slotsThere) {
      throw new Violation("%d ranks run on the %d slots of %s", used, slotsThere, process.name());
    }
    all.add(new Rank(process, attempt, rank));
    started++;
  }

  /**
   * Records and checks the end of a rank.
   *
   * @param how how the rank ended
   */
  public void ends(SimProcess process, Request job, int attempt, int rank, GangEvent.How how) {
    boolean byItself = how != GangEvent.How.KILLED;
    if (how == GangEvent.How.WELL) {
      well.computeIfAbsent(key(job, attempt), k -> new BitSet()).set(rank);
    }
    List<Rank> all = running.getOrDefault(job.id(), List.of());
    all.removeIf(one -> one.process() == process && one.attempt() == attempt && one.rank() == rank);
    slots.merge(process.name(), -1, Integer::sum);
    boolean later =
        attempts.getOrDefault(job.id(), Set.of()).stream().anyMatch(other -> other > attempt);
    if (byItself && later) {
      throw new Violation(
          "rank %d of %s ran on under attempt %d on %s when a later one had started",
          rank, job, attempt, process.name());
    }
  }

  /** Checks that a job that is said to have succeeded has: all its ranks ended well. */
  public void succeeded(Request job, int attempt, int size) {
    BitSet ended = well.getOrDefault(key(job, attempt), new BitSet());
    Violation.unless(
        ended.cardinality() == size,
        "job %s is said to have succeeded under attempt %d, and of its %d ranks %s ended well",
        job,
        attempt,
        size,
        ended);
  }

  /** Checks that nothing runs any more of a job whose result was accepted. */
  void told(ResultMessage results) {
    List<Rank> all = running.isEmpty() ? null : running.get(results.of().id());
    if (all == null || results.of().run().consistency() == Consistency.AT_LEAST_ONCE) {
      return;
    }
    for (Rank one : all) {
      Violation.unless(
          !one.runs() || one.attempt() > results.attempt(),
          "the result of %s under attempt %d was accepted while rank %d of it runs on %s under"
              + " attempt %d",
          results.of(),
          results.attempt(),
          one.rank(),
          one.process().name(),
          one.attempt());
    }
  }

  private static String key(Request job, int attempt) {
    return job.id() + '#' + attempt;
  }

  /** The number of ranks that ever started. */
  public long started() {
    return started;
  }

  /** The number of attempts under which ranks of a job have started. */
  public int attempts(String job) {
    return attempts.getOrDefault(job, Set.of()).size();
  }

  /** Whether no rank runs. */
  public boolean none() {
    return running.values().stream().flatMap(List::stream).noneMatch(Rank::runs);
  }
}
