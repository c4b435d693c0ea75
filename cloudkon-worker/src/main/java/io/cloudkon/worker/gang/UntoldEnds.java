package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the ends of ranks, by gang, until their manager knows or the gang is forgotten. Thread
 * safe.
 */
final class UntoldEnds {
  /** How much output one report brings, unless a single rank has more. */
  private static final long REPORT_BYTES = 8L << 20;

  private final Map<String, Map<GangEvent.Ended, RankEnd>> byGang = new ConcurrentHashMap<>();

  /** A rank has ended. */
  void keep(String gang, GangEvent.Ended news, RankEnd end) {
    byGang.computeIfAbsent(gang, g -> new ConcurrentHashMap<>()).put(news, end);
  }

  /**
   * The first of these, as many as one report brings: a manager is not to wait for its beat as long
   * as everything that ranks have printed takes to arrive.
   */
  List<GangEvent.Ended> reportable(String gang, List<GangEvent.Ended> untold) {
    long bytes = 0;
    int count = 0;
    for (GangEvent.Ended ended : untold) {
      RankEnd end = endsOf(gang).get(ended);
      bytes += end == null ? 0 : end.payload();
      if (count > 0 && bytes > REPORT_BYTES) {
        break;
      }
      count++;
    }
    return untold.subList(0, count);
  }

  /** How these ranks of a gang ended, as far as it is not forgotten. */
  List<RankEnd> ends(String gang, List<GangEvent.Ended> of) {
    List<RankEnd> found = new ArrayList<>();
    for (GangEvent.Ended ended : of) {
      RankEnd end = endsOf(gang).get(ended);
      if (end != null) {
        found.add(end);
      }
    }
    return found;
  }

  /** Their manager knows. */
  void told(String gang, List<GangEvent.Ended> of) {
    Map<GangEvent.Ended, RankEnd> kept = byGang.get(gang);
    if (kept != null) {
      of.forEach(kept::remove);
    }
  }

  /** Nobody asks for the gang's any more. */
  void forget(String gang) {
    byGang.remove(gang);
  }

  private Map<GangEvent.Ended, RankEnd> endsOf(String gang) {
    return byGang.getOrDefault(gang, Map.of());
  }
}
