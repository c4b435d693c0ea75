package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Tracks which workers are present, and since when without interruption. */
public final class Roster {
  private final Map<String, Member> members = new HashMap<>();

  private record Member(SimProcess process, int slots, long since) {}

  /** Records that a worker is present, or present again, from this time in microseconds. */
  public void there(SimProcess process, int slots, long micros) {
    members.put(process.name(), new Member(process, slots, micros));
  }

  /** Records that a worker leaves. */
  public void leaves(SimProcess process) {
    members.remove(process.name());
  }

  /** The slots of live workers, by name. */
  public Map<String, Integer> slots() {
    Map<String, Integer> slots = new TreeMap<>();
    members.forEach((name, one) -> {
      if (!one.process().dead()) {
        slots.put(name, one.slots());
      }
    });
    return slots;
  }

  /**
   * The total slots of workers that have been present without interruption since this time, in
   * microseconds.
   */
  public int slotsSince(long micros) {
    return members.values().stream()
        .filter(one -> !one.process().dead() && !one.process().paused() && one.since() <= micros)
        .mapToInt(Member::slots)
        .sum();
  }
}
