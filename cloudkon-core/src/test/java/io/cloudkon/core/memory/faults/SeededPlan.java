package io.cloudkon.core.memory.faults;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/** Draws fates by the odds of a {@link Misbehaviour}, from one generator per port. */
final class SeededPlan implements FaultPlan {
  private final Misbehaviour misbehaviour;
  private final TimeSource time;
  private final long begin;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Port, SplittableRandom> randoms = new EnumMap<>(Port.class);

  SeededPlan(Misbehaviour misbehaviour, TimeSource time) {
    this.misbehaviour = misbehaviour;
    this.time = time;
    this.begin = time.monotonicNanos();
    SplittableRandom root = new SplittableRandom(misbehaviour.seed());
    for (Port port : Port.values()) {
      randoms.put(port, root.split());
    }
  }

  @Override
  public Fate fate(Operation operation) {
    double drawn = draw(operation);
    Duration now = Duration.ofNanos(time.monotonicNanos() - begin);
    if (misbehaviour.outages().stream().anyMatch(outage -> outage.covers(operation, now))) {
      return Fate.THROTTLED;
    }
    Map<Fate, Double> odds = misbehaviour.odds().getOrDefault(operation, Map.of());
    for (Fate fate : operation.fates()) {
      drawn -= odds.getOrDefault(fate, 0.0);
      if (drawn < 0) {
        return fate;
      }
    }
    return Fate.CARRIED_OUT;
  }

  @Override
  public int lateness(Operation operation) {
    return (int) (draw(operation) * (misbehaviour.lateBy() + 1.0));
  }

  @Override
  public int shift(Operation operation) {
    return (int) (draw(operation) * 4);
  }

  private double draw(Operation operation) {
    lock.lock();
    try {
      return Objects.requireNonNull(randoms.get(operation.port())).nextDouble();
    } finally {
      lock.unlock();
    }
  }
}
