package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which sub-worker has which rank of a gang, when each last reported, and which are lost.
 */
final class RankHolders {
  private final GangSettings settings;
  private final @Nullable String[] holders;

  /** The time at which each sub-worker last got an answer; monotonic milliseconds. */
  private final Map<String, Long> heard = new LinkedHashMap<>();

  private final Set<String> lost = new HashSet<>();

  RankHolders(int size, GangSettings settings) {
    this.settings = settings;
    this.holders = new String[size];
  }

  /**
   * Registers a sub-worker and returns those of the requested ranks that belong to it from now on.
   *
   * @param filling whether it may get vacant ranks
   */
  List<Integer> register(String worker, List<Integer> ranks, boolean filling, Moment now) {
    List<Integer> accepted = new ArrayList<>();
    if (lost.contains(worker)) {
      return accepted;
    }
    for (int rank : ranks) {
      if (rank < 0 || rank >= holders.length) {
        continue;
      }
      if (filling && holders[rank] == null) {
        holders[rank] = worker;
      }
      if (worker.equals(holders[rank])) {
        accepted.add(rank);
      }
    }
    if (!accepted.isEmpty()) {
      heard.put(worker, now.mono());
    }
    return accepted;
  }

  /** The ranks without a sub-worker. */
  List<Integer> vacant() {
    List<Integer> vacant = new ArrayList<>();
    for (int rank = 0; rank < holders.length; rank++) {
      if (holders[rank] == null) {
        vacant.add(rank);
      }
    }
    return vacant;
  }

  /** Records a sub-worker's heartbeat; false if it has no rank here or counts as lost. */
  boolean beat(String worker, Moment now) {
    return !lost.contains(worker)
        && heard.computeIfPresent(worker, (w, before) -> now.mono()) != null;
  }

  /** All sub-workers. */
  List<String> workers() {
    return List.copyOf(heard.keySet());
  }

  /** The ranks by sub-worker. */
  Map<String, List<Integer>> ranks() {
    Map<String, List<Integer>> ranks = new TreeMap<>();
    for (int rank = 0; rank < holders.length; rank++) {
      String worker = holders[rank];
      if (worker != null) {
        ranks.computeIfAbsent(worker, w -> new ArrayList<>()).add(rank);
      }
    }
    return ranks;
  }

  /** Marks sub-workers as lost that have been silent for too long. */
  void loseSilent(Moment now) {
    for (String worker : heard.keySet()) {
      if (silent(worker, now)) {
        lost.add(worker);
      }
    }
  }

  /** Marks a sub-worker as lost because it could not be reached. */
  void lose(String worker) {
    if (heard.containsKey(worker)) {
      lost.add(worker);
    }
  }

  boolean anyLost() {
    return !lost.isEmpty();
  }

  /** Whether this rank must have ended by now, although its end was not reported. */
  boolean over(int rank, Moment now) {
    String worker = holders[rank];
    return worker == null || (lost.contains(worker) && silent(worker, now));
  }

  /**
   * Whether all ranks of a sub-worker must have ended by now, because it got no answer for half a
   * lease plus a margin.
   */
  private boolean silent(String worker, Moment now) {
    long last = heard.getOrDefault(worker, Long.MIN_VALUE / 2);
    return now.mono() - last > settings.silence() + settings.lease().margin();
  }
}
