package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The barrier of the ranks of one attempt of a job: no rank continues before all have arrived. */
public final class RankBarrier {
  private final int size;
  private final Map<Integer, Member> members = new HashMap<>();
  private final BitSet left = new BitSet();

  private record Member(SimProcess process, Runnable goesOn) {}

  RankBarrier(int size) {
    this.size = size;
  }

  /** Records that a rank has arrived; all continue when the last one has. */
  public void arrive(SimProcess process, int rank, Runnable goesOn) {
    members.put(rank, new Member(process, goesOn));
    if (members.size() == size) {
      members.values().forEach(member -> member.process().in(0, member.goesOn()));
    }
  }

  /** Records that a rank has ended, so that its worker's death no longer matters. */
  public void leave(int rank) {
    left.set(rank);
  }

  /** Whether a worker died while one of the ranks was running. */
  public boolean broken() {
    return members.entrySet().stream()
        .anyMatch(one -> !left.get(one.getKey()) && one.getValue().process().dead());
  }
}
