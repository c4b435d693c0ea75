package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The meeting point of the ranks of one attempt of a job: none goes on before all are there. */
public final class RankBarrier {
  private final int size;
  private final Map<Integer, Member> members = new HashMap<>();
  private final BitSet left = new BitSet();

  private record Member(SimProcess process, Runnable goesOn) {}

  RankBarrier(int size) {
    this.size = size;
  }

  /** A rank is there; it goes on when all are. */
  public void arrive(SimProcess process, int rank, Runnable goesOn) {
    members.put(rank, new Member(process, goesOn));
    if (members.size() == size) {
      members.values().forEach(member -> member.process().in(0, member.goesOn()));
    }
  }

  /** A rank has ended; what becomes of its worker then is nobody's concern. */
  public void leave(int rank) {
    left.set(rank);
  }

  /** Whether a worker died under one of them. */
  public boolean broken() {
    return members.entrySet().stream()
        .anyMatch(one -> !left.get(one.getKey()) && one.getValue().process().dead());
  }
}
