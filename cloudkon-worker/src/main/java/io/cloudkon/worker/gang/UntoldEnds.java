package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the ends of ranks, by gang, until their manager knows them or the gang is forgotten. Thread
 * safe.
 */
final class UntoldEnds {
  /** The maximum number of output bytes in one report, unless a single rank has more. */
  private static final long REPORT_BYTES = 8L << 20;

  private final Map<String, Map<GangEvent.Ended, RankEnd>> byGang = new ConcurrentHashMap<>();

  /** Adds the end of a rank. */
  void keep(String gang, GangEvent.Ended news, RankEnd end) {
    byGang.computeIfAbsent(gang, g -> new ConcurrentHashMap<>()).put(news, end);
  }

  /**
   * The first of these ends, as many as fit in one report. The limit keeps the transfer of the
   * ranks' outputs from delaying the beat that the manager waits for.
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

  /** The ends of these ranks of a gang; those that are forgotten are left out. */
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

  /** Removes the ends that their manager knows. */
  void told(String gang, List<GangEvent.Ended> of) {
    Map<GangEvent.Ended, RankEnd> kept = byGang.get(gang);
    if (kept != null) {
      of.forEach(kept::remove);
    }
  }

  /** Removes all ends of the gang. */
  void forget(String gang) {
    byGang.remove(gang);
  }

  private Map<GangEvent.Ended, RankEnd> endsOf(String gang) {
    return byGang.getOrDefault(gang, Map.of());
  }
}
