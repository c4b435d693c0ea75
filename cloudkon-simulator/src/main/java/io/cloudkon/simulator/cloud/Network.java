package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries calls to the services and answers back, each with its latency and its fate. */
final class Network {
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

  /** Half of a call's time, in microseconds. */
  long oneWay(Call call) {
    Latency latency = latencies.get(call);
    return latency == null ? 0 : latency.draw(random) / 2;
  }

  /** One call to a table or the bucket. */
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
   * One call.
   *
   * @param queue that is called; empty for a table or the bucket
   * @param units what it is billed as
   * @param what for the trace
   * @param effect at the service; null if it is refused there in passing
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
    // As long back as there, so that the two together are as the latency's settings have it.
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

  /** Whether a policy denies the call; then that is its answer, and it has no effect. */
  boolean refuses(SimProcess caller, Call call, String queue, long back, Reply<?> reply) {
    Optional<Permission> denied = refusals.of(caller, call, queue);
    denied.ifPresent(permission -> {
      caller.says("is denied " + permission);
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
    if (call.dynamo() && caller.cutOff()) {
      answer(caller, back, null, reply);
      return;
    }
    switch (faults.fate(call)) {
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
    }
  }

  private <T> void later(Supplier<@Nullable T> effect) {
    timeline.in(
        faults.lateness(),
        () -> {
          T unused = effect.get();
        });
  }

  /** An answer on its way back. */
  <T> void answer(SimProcess caller, long back, @Nullable T answer, Reply<T> reply) {
    caller.in(back, () -> reply.of(answer));
  }
}
