package io.cloudkon.core.memory.faults;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lets the calls on one port meet their fates. Thread safe; no effect runs under its lock. */
final class Injector {
  private record Late(long dueCall, Supplier<?> effect) {}

  private final FaultPlan plan;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Late> late = new ArrayList<>();
  private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);
  private long calls;

  Injector(FaultPlan plan) {
    this.plan = plan;
  }

  /** Begins a call: what was due before it happens now. */
  Fate begin(Operation operation) {
    Fate planned = plan.fate(operation);
    Fate fate = operation.fates().contains(planned) ? planned : Fate.CARRIED_OUT;
    List<Late> due;
    lock.lock();
    try {
      calls++;
      counts.merge(fate, 1L, Long::sum);
      due = take(calls);
    } finally {
      lock.unlock();
    }
    due.forEach(Injector::happen);
    return fate;
  }

  /** One call of one effect. */
  <T> T call(Operation operation, Supplier<T> effect) {
    return end(operation, begin(operation), effect);
  }

  /** One call for several entries. */
  <E> List<BatchFailure> batch(
      Operation operation,
      Fate fate,
      List<E> entries,
      Function<List<E>, List<BatchFailure>> effect) {
    List<E> all = List.copyOf(entries);
    return fate == Fate.PARTIAL
        ? partial(operation, all, effect)
        : end(operation, fate, () -> effect.apply(all));
  }

  /** The rest of a call that has begun. */
  <T> T end(Operation operation, Fate fate, Supplier<T> effect) {
    return switch (fate) {
      case CARRIED_OUT, PARTIAL, IGNORED, REPLAYED -> carryOut(operation, effect);
      case COPIED -> {
        T answer = carryOut(operation, effect);
        hold(operation, effect);
        yield answer;
      }
      case THROTTLED -> throw failure(operation, fate);
      case ANSWER_LOST -> {
        carryOut(operation, effect);
        throw failure(operation, fate);
      }
      case EFFECT_LATE -> {
        hold(operation, effect);
        throw failure(operation, fate);
      }
    };
  }

  /** Lets the effect happen after some further calls. */
  void hold(Operation operation, Supplier<?> effect) {
    int lateness = plan.lateness(operation);
    Late held;
    lock.lock();
    try {
      held = new Late(lateness == Integer.MAX_VALUE ? Long.MAX_VALUE : calls + lateness, effect);
      if (lateness > 0) {
        late.add(held);
        return;
      }
    } finally {
      lock.unlock();
    }
    happen(held);
  }

  /** Says that the effect of a call has happened. */
  void happened(Operation operation) {
    plan.after(operation);
  }

  /** Everything late happens now. */
  void deliverLate() {
    List<Late> due;
    lock.lock();
    try {
      due = take(Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
    due.forEach(Injector::happen);
  }

  long count(Fate fate) {
    lock.lock();
    try {
      return counts.getOrDefault(fate, 0L);
    } finally {
      lock.unlock();
    }
  }

  TransientServiceException failure(Operation operation, Fate fate) {
    return new TransientServiceException(
        "%s failed on purpose: %s".formatted(operation, fate), null);
  }

  private <T> T carryOut(Operation operation, Supplier<T> effect) {
    T answer = effect.get();
    plan.after(operation);
    return answer;
  }

  private <E> List<BatchFailure> partial(
      Operation operation, List<E> entries, Function<List<E>, List<BatchFailure>> effect) {
    int shift = plan.shift(operation);
    List<BatchFailure> failures = new ArrayList<>();
    List<E> passed = new ArrayList<>();
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      int place = (i + shift) % 4;
      if (place % 2 == 0) {
        failures.add(new BatchFailure(i, "failed on purpose", true));
      }
      if (place != 0) {
        passed.add(entries.get(i));
        indexes.add(i);
      }
    }
    if (!passed.isEmpty()) {
      for (BatchFailure real : carryOut(operation, () -> effect.apply(passed))) {
        int index = indexes.get(real.index());
        failures.removeIf(failure -> failure.index() == index);
        failures.add(new BatchFailure(index, real.reason(), real.retryable()));
      }
    }
    return List.copyOf(failures);
  }

  private List<Late> take(long upTo) {
    List<Late> due = new ArrayList<>();
    for (Iterator<Late> all = late.iterator(); all.hasNext(); ) {
      Late next = all.next();
      if (next.dueCall() <= upTo) {
        all.remove();
        due.add(next);
      }
    }
    return due;
  }

  private static void happen(Late due) {
    try {
      var unused = due.effect().get();
    } catch (CloudKonException ignored) {
      // its caller has long had another answer
    }
  }
}
