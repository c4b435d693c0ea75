package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries calls to the services and answers back, each with a random latency and fate. */
final class Network {
  /** A one-way latency that may cost a caller its lease, in microseconds. */
  private static final long SLOW = 1_000_000;

  private final Timeline timeline;
  private final SplittableRandom random;
  private final Map<Call, Latency> latencies;
  private final Faults faults;
  private final CallCounts counts;
  private final DeniedActions refusals;

  Network(
      Timeline timeline,
      SplittableRandom random,
      Latencies latencies,
      Faults faults,
      CallCounts counts) {
    this.timeline = timeline;
    this.random = random;
    this.latencies = latencies.byCall();
    this.faults = faults;
    this.counts = counts;
    this.refusals = new DeniedActions(timeline);
  }

  DeniedActions refusals() {
    return refusals;
  }

  Faults faults() {
    return faults;
  }

  Timeline timeline() {
    return timeline;
  }

  CallCounts counts() {
    return counts;
  }

  /** The one-way latency of a call, in microseconds. */
  long oneWay(Call call) {
    Latency latency = latencies.get(call);
    return latency == null ? 0 : latency.draw(random) / 2;
  }

  /** Calls a table or the bucket. */
  <T> void call(
      SimProcess caller,
      Call call,
      long units,
      Supplier<String> what,
      Supplier<@Nullable T> effect,
      Reply<T> reply) {
    call(caller, call, "", units, what, effect, reply);
  }

  /**
   * Makes a call.
   *
   * @param queue the queue that is called; empty for a table or the bucket
   * @param units the number of billing units
   * @param what describes the call in the trace
   * @param effect the effect at the service; returns null if the service refuses it transiently
   */
  <T> void call(
      SimProcess caller,
      Call call,
      String queue,
      long units,
      Supplier<String> what,
      Supplier<@Nullable T> effect,
      Reply<T> reply) {
    counts.add(call, units);
    long there = oneWay(call);
    // The way back takes as long as the way there, so that the sum has the configured latency.
    timeline.in(
        there,
        () ->
            caller.reachesService(
                what,
                () -> {
                  if (!refuses(caller, call, queue, there, reply)) {
                    carryOut(caller, call, there, effect, reply);
                  }
                }));
  }

  /**
   * Whether a policy denies the call; if so, answers with the refusal, and the call has no effect.
   */
  boolean refuses(SimProcess caller, Call call, String queue, long back, Reply<?> reply) {
    Optional<Permission> denied = refusals.of(caller, call, queue);
    denied.ifPresent(permission -> {
      caller.says("is denied " + permission);
      caller.disturbed(timeline.now() + back);
      caller.in(
          back,
          () -> {
            refusals.tell(caller, permission);
            reply.refused();
          });
    });
    return denied.isPresent();
  }

  private <T> void carryOut(
      SimProcess caller, Call call, long back, Supplier<@Nullable T> effect, Reply<T> reply) {
    if (unreachable(caller, call)) {
      answer(caller, back, null, reply);
      return;
    }
    Fate fate = faults.fate(call);
    if (fate == Fate.RETRIED) {
      retry(caller, call, back, effect, reply);
      return;
    }
    if (fate != Fate.CARRIED_OUT || back > SLOW) {
      // A lease may end for that.
      caller.disturbed(timeline.now() + back);
    }
    switch (fate) {
      case CARRIED_OUT -> answer(caller, back, effect.get(), reply);
      case THROTTLED -> answer(caller, back, null, reply);
      case ANSWER_LOST -> {
        T unused = effect.get();
        answer(caller, back, null, reply);
      }
      case COPIED -> {
        T answer = effect.get();
        later(effect);
        answer(caller, back, answer, reply);
      }
      case EFFECT_LATE -> {
        later(effect);
        answer(caller, back, null, reply);
      }
      case RETRIED -> throw new IllegalStateException("is carried out in two attempts");
    }
  }

  private static boolean unreachable(SimProcess caller, Call call) {
    return (call.dynamo() && caller.cutOff()) || (call.sqs() && caller.reachesNoQueue());
  }

  /**
   * Carries a call out twice, as the SDK does when the first answer does not come. A quick second
   * attempt costs no lease, so the caller does not count as disturbed.
   */
  private <T> void retry(
      SimProcess caller, Call call, long back, Supplier<@Nullable T> effect, Reply<T> reply) {
    T unused = effect.get();
    long wait = faults.retryMicros();
    if (wait + back > SLOW) {
      caller.disturbed(timeline.now() + wait + back);
    }
    caller.in(
        wait,
        () -> {
          boolean fails = unreachable(caller, call) || faults.isOut(call);
          answer(caller, back, fails ? null : effect.get(), reply);
        });
  }

  private <T> void later(Supplier<@Nullable T> effect) {
    timeline.in(
        faults.lateness(),
        () -> {
          T unused = effect.get();
        });
  }

  /** Sends an answer back. */
  <T> void answer(SimProcess caller, long back, @Nullable T answer, Reply<T> reply) {
    caller.in(back, () -> reply.of(answer));
  }
}
