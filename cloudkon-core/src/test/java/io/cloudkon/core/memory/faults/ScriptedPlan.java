package io.cloudkon.core.memory.faults;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Fates by operation and number of the call: "the answer to the second claim write is lost". Thread
 * safe.
 */
public final class ScriptedPlan implements FaultPlan {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Operation, Map<Integer, Fate>> exact = new EnumMap<>(Operation.class);
  private final Map<Operation, Fate> standing = new EnumMap<>(Operation.class);
  private final Map<Operation, Integer> calls = new EnumMap<>(Operation.class);
  private volatile int lateness = Integer.MAX_VALUE;

  /**
   * The fate of one call.
   *
   * @param nth which call of this operation, from 1, counted since this plan was made
   */
  public ScriptedPlan at(Operation operation, int nth, Fate fate) {
    check(operation, fate);
    lock.lock();
    try {
      exact.computeIfAbsent(operation, o -> new HashMap<>()).put(nth, fate);
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** The fate of every call from now on that {@link #at} does not name. */
  public ScriptedPlan always(Operation operation, Fate fate) {
    check(operation, fate);
    lock.lock();
    try {
      standing.put(operation, fate);
    } finally {
      lock.unlock();
    }
    return this;
  }

  /**
   * Late and repeated effects happen after so many further calls on their port, not only when they
   * are delivered.
   */
  public ScriptedPlan lateBy(int calls) {
    this.lateness = calls;
    return this;
  }

  /** How many calls of this operation there were. */
  public int calls(Operation operation) {
    lock.lock();
    try {
      return calls.getOrDefault(operation, 0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int lateness(Operation operation) {
    return lateness;
  }

  @Override
  public Fate fate(Operation operation) {
    lock.lock();
    try {
      int nth = calls.merge(operation, 1, Integer::sum);
      Fate otherwise = standing.getOrDefault(operation, Fate.CARRIED_OUT);
      return exact.getOrDefault(operation, Map.of()).getOrDefault(nth, otherwise);
    } finally {
      lock.unlock();
    }
  }

  private static void check(Operation operation, Fate fate) {
    if (!operation.fates().contains(fate)) {
      throw new IllegalArgumentException("%s can not be %s".formatted(operation, fate));
    }
  }
}
