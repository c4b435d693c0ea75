package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Tracks which workers are there, and since when without a break. */
public final class Roster {
  private final Map<String, Member> members = new HashMap<>();

  private record Member(SimProcess process, int slots, long since) {}

  /** A worker is there, or there again, from this moment in microseconds. */
  public void there(SimProcess process, int slots, long micros) {
    members.put(process.name(), new Member(process, slots, micros));
  }

  /** A worker leaves. */
  public void leaves(SimProcess process) {
    members.remove(process.name());
  }

  /** Slots of those that live, by their names. */
  public Map<String, Integer> slots() {
    Map<String, Integer> slots = new TreeMap<>();
    members.forEach((name, one) -> {
      if (!one.process().dead()) {
        slots.put(name, one.slots());
      }
    });
    return slots;
  }

  /** Slots of workers that have been there since that moment in microseconds, at the latest. */
  public int slotsSince(long micros) {
    return members.values().stream()
        .filter(one -> !one.process().dead() && !one.process().paused() && one.since() <= micros)
        .mapToInt(Member::slots)
        .sum();
  }
}
