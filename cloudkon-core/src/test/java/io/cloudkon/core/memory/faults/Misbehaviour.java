package io.cloudkon.core.memory.faults;

import io.cloudkon.core.memory.QueueHabits;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How badly a cloud behaves. Immutable; the same seed and the same calls from one thread give the
 * same faults.
 *
 * @param seed of all random numbers
 * @param odds the probability of each fate by operation; what is missing is 0
 * @param lateBy after at most how many further calls on its port a late effect happens; 0 is at
 *     once
 * @param habits how memory queues behave; other clouds have their own
 * @param outages times in which calls fail
 */
public record Misbehaviour(
    long seed,
    Map<Operation, Map<Fate, Double>> odds,
    int lateBy,
    QueueHabits habits,
    List<Outage> outages) {
  private static final Set<Operation> SENDS =
      Set.of(
          Operation.REQUEST_SEND, Operation.JOB_SEND, Operation.RANK_SEND, Operation.RESPONSE_SEND);
  private static final Set<Operation> DELETES =
      Set.of(
          Operation.REQUEST_DELETE,
          Operation.JOB_DELETE,
          Operation.RANK_DELETE,
          Operation.RESPONSE_DELETE);

  public Misbehaviour {
    Map<Operation, Map<Fate, Double>> copy = new EnumMap<>(Operation.class);
    odds.forEach((operation, fates) -> copy.put(operation, checked(operation, fates)));
    odds = Map.copyOf(copy);
    outages = List.copyOf(outages);
  }

  private static Map<Fate, Double> checked(Operation operation, Map<Fate, Double> fates) {
    double sum = fates.values().stream().mapToDouble(Double::doubleValue).sum();
    boolean legal = operation.fates().containsAll(fates.keySet()) && sum <= 1.000_001;
    if (!legal || fates.values().stream().anyMatch(p -> !(p >= 0))) {
      throw new IllegalArgumentException(
          "%s can not meet %s: expected its own fates, with odds of 1 in all at most"
              .formatted(operation, fates));
    }
    return Map.copyOf(fates);
  }

  /** Never a fault. */
  public static Misbehaviour none() {
    return new Misbehaviour(0, Map.of(), 0, QueueHabits.orderly(), List.of());
  }

  /** Every message, of whatever queue, is there twice from the moment it is sent. */
  public static Misbehaviour everyMessageTwice() {
    return none().with(Fate.COPIED, 1, SENDS);
  }

  /** Every message comes once more after it was deleted. */
  public static Misbehaviour everyMessageReplayed() {
    return none().with(Fate.REPLAYED, 1, DELETES);
  }

  /**
   * Every kind of fault at once, each often enough to meet the others: about one call in five
   * fails.
   */
  public static Misbehaviour storm(long seed) {
    Set<Operation> messages = EnumSet.copyOf(SENDS);
    messages.addAll(DELETES);
    Set<Operation> visibilities =
        EnumSet.of(
            Operation.REQUEST_VISIBILITY, Operation.JOB_VISIBILITY, Operation.RANK_VISIBILITY);
    Set<Operation> repeatable = EnumSet.copyOf(messages);
    repeatable.addAll(visibilities);
    repeatable.addAll(
        EnumSet.of(
            Operation.CLAIM_ACQUIRE,
            Operation.CLAIM_WRITE,
            Operation.CLAIM_SURVIVE,
            Operation.WORKER_PUT,
            Operation.LEDGER_CHANGE,
            Operation.LEDGER_RENEW,
            Operation.LEDGER_KEEP,
            Operation.LEDGER_PUT,
            Operation.LEDGER_REMOVE));
    Misbehaviour storm =
        none()
            .with(Fate.THROTTLED, 0.08, EnumSet.allOf(Operation.class))
            .with(Fate.ANSWER_LOST, 0.08, EnumSet.allOf(Operation.class))
            .with(Fate.EFFECT_LATE, 0.04, repeatable)
            .with(Fate.COPIED, 0.10, repeatable)
            .with(Fate.PARTIAL, 0.10, messages)
            .with(Fate.REPLAYED, 0.10, DELETES)
            .with(Fate.IGNORED, 0.10, DELETES)
            .with(Fate.IGNORED, 0.10, visibilities);
    QueueHabits habits = new QueueHabits(QueueHabits.orderly().inFlightLimit(), 20, false);
    return new Misbehaviour(seed, storm.odds, 20, habits, List.of());
  }

  /** The same with another seed. */
  public Misbehaviour withSeed(long newSeed) {
    return new Misbehaviour(newSeed, odds, lateBy, habits, outages);
  }

  /** The same, and these operations meet this fate with this probability. */
  public Misbehaviour with(Fate fate, double probability, Operation... operations) {
    return with(fate, probability, List.of(operations));
  }

  /** The same, and these operations meet this fate with this probability. */
  public Misbehaviour with(Fate fate, double probability, Collection<Operation> operations) {
    Map<Operation, Map<Fate, Double>> changed = new EnumMap<>(Operation.class);
    changed.putAll(odds);
    for (Operation operation : operations) {
      Map<Fate, Double> fates = new EnumMap<>(Fate.class);
      fates.putAll(changed.getOrDefault(operation, Map.of()));
      fates.put(fate, probability);
      changed.put(operation, fates);
    }
    return new Misbehaviour(seed, changed, lateBy, habits, outages);
  }

  /** The same with late effects after at most so many further calls. */
  public Misbehaviour withLateBy(int calls) {
    return new Misbehaviour(seed, odds, calls, habits, outages);
  }

  /** The same with queues of these habits. */
  public Misbehaviour withHabits(QueueHabits newHabits) {
    return new Misbehaviour(seed, odds, lateBy, newHabits, outages);
  }

  /** The same, and these calls fail from {@code from} to {@code to} after the plan was made. */
  public Misbehaviour withOutage(Duration from, Duration to, Set<Operation> operations) {
    List<Outage> more = new ArrayList<>(outages);
    more.add(new Outage(operations, from, to));
    return new Misbehaviour(seed, odds, lateBy, habits, more);
  }

  /** Whether calls never fail and are never repeated; queues may have habits all the same. */
  public boolean isReliable() {
    return odds.isEmpty() && outages.isEmpty();
  }

  /** These faults for one cluster, from now on. */
  public FaultPlan plan(TimeSource time) {
    return new SeededPlan(this, time);
  }
}
