package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The workers that were started manually, in addition to those that a provisioner launches. Each
 * has its own number of slots and occupies one of the places up to the maximum.
 */
public final class WorkersByHand {
  private final int affordable;
  private final List<Member> members = new ArrayList<>();
  private final Set<SimProcess> leaving = new HashSet<>();

  /** A manually started worker, with its start time in microseconds. */
  private record Member(SimProcess process, int slots, long since) {}

  /**
   * No workers yet.
   *
   * @param affordable the number of launched workers that the price limit allows
   */
  public WorkersByHand(int affordable) {
    this.affordable = affordable;
  }

  /** Records that a worker starts. */
  public void starts(SimProcess process, int slots, long micros) {
    members.add(new Member(process, slots, micros));
  }

  /** Records that a worker begins to leave. */
  public void leaves(SimProcess process) {
    leaving.add(process);
  }

  private boolean stays(SimProcess process) {
    return !process.dead() && !leaving.contains(process);
  }

  /** The number of launched workers that the price limit allows. */
  public int affordable() {
    return affordable;
  }

  /** The workers that live and do not leave. */
  public List<SimProcess> live() {
    return members.stream().map(Member::process).filter(this::stays).toList();
  }

  /**
   * The number of slots that this provisioner could certainly have provided since a moment in
   * microseconds, including those of manual workers.
   */
  long reachableSince(long micros, ProvisionerEntry.Settings settings) {
    long own =
        members.stream()
            .filter(one -> stays(one.process()) && one.since() <= micros)
            .mapToLong(Member::slots)
            .sum();
    // A worker that died or left may count as alive for a while.
    long places = Math.max(0, settings.max() - members.size());
    return own + Math.min(places, affordable) * settings.slots();
  }
}
