package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Workers that somebody started beside those that a provisioner launches: with slots of their own
 * number, and each in one of the places up to the maximum.
 */
public final class WorkersByHand {
  private final int affordable;
  private final List<Member> members = new ArrayList<>();
  private final Set<SimProcess> leaving = new HashSet<>();

  /** One of them, since a moment in microseconds. */
  private record Member(SimProcess process, int slots, long since) {}

  /**
   * There are none yet.
   *
   * @param affordable how many launched workers the price an hour allows
   */
  public WorkersByHand(int affordable) {
    this.affordable = affordable;
  }

  /** One starts. */
  public void starts(SimProcess process, int slots, long micros) {
    members.add(new Member(process, slots, micros));
  }

  /** One begins to leave. */
  public void leaves(SimProcess process) {
    leaving.add(process);
  }

  private boolean stays(SimProcess process) {
    return !process.dead() && !leaving.contains(process);
  }

  /** How many launched workers the price an hour allows. */
  public int affordable() {
    return affordable;
  }

  /** Those that live and stay. */
  public List<SimProcess> live() {
    return members.stream().map(Member::process).filter(this::stays).toList();
  }

  /** Slots that were surely within reach of this provisioner since a moment in microseconds. */
  long reachableSince(long micros, ProvisionerEntry.Settings settings) {
    long own =
        members.stream()
            .filter(one -> stays(one.process()) && one.since() <= micros)
            .mapToLong(Member::slots)
            .sum();
    // One that died or left may pass for alive for a while.
    long places = Math.max(0, settings.max() - members.size());
    return own + Math.min(places, affordable) * settings.slots();
  }
}
