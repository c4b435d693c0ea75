package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A worker machine whose effects are collected; claims are granted when a test says so. */
final class WorkerBench {
  final WorkerMachine machine;
  final List<WorkerEffect> effects = new ArrayList<>();
  Moment now = new Moment(10_000, 3_000_000);
  private final Map<String, Claim> claims = new HashMap<>();
  private long keys;

  WorkerBench(int slots) {
    this(settings(slots));
  }

  private WorkerBench(WorkerSettings settings) {
    machine = new WorkerMachine(settings);
  }

  private static WorkerSettings settings(int slots) {
    return new WorkerSettings(
        "w", slots, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
  }

  /** The only worker, that has asked for bundles. */
  static WorkerBench alone(int slots) {
    return new WorkerBench(settings(slots).asOnly()).tick();
  }

  /** A worker that has asked for bundles. */
  static WorkerBench hungry(int slots) {
    return new WorkerBench(slots).tick();
  }

  static Bundle bundle(int sequence, Consistency mode, int tasks, Work work) {
    return bundle(sequence, mode, ClaimScope.BUNDLE, tasks, work);
  }

  /** One whose tasks have a claim each. */
  static Bundle taskByTask(int sequence, Consistency mode, int tasks, Work work) {
    return bundle(sequence, mode, ClaimScope.TASK, tasks, work);
  }

  static Bundle bundle(int sequence, Consistency mode, ClaimScope claim, int tasks, Work work) {
    List<Task> all =
        IntStream.range(0, tasks)
            .mapToObj(i -> new Task(i, Integer.toString(i + 1), work, 0))
            .toList();
    return new Bundle(
        new BundleHeader(
            "run",
            "e",
            BundleIds.of("run", "e", sequence),
            "q",
            mode,
            1024,
            0,
            0,
            0,
            List.of(),
            claim),
        all);
  }

  static Work sleep(long millis) {
    return new Work.Sleep(millis);
  }

  static Work unknown() {
    return new Work.JavaCall("never-seen", List.of());
  }

  WorkerBench on(WorkerEvent event) {
    effects.addAll(machine.on(event, now));
    return this;
  }

  WorkerBench tick() {
    return on(new WorkerEvent.Tick());
  }

  WorkerBench later(long millis) {
    now = now.plus(millis);
    return this;
  }

  /** Ticks every 50 ms for so long. */
  WorkerBench pass(long millis) {
    for (long i = 0; i < millis; i += 50) {
      later(50).tick();
    }
    return this;
  }

  /** A receive brings these; gives the key of the first one. */
  long receive(Bundle... bundles) {
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>();
    long first = keys + 1;
    for (Bundle bundle : bundles) {
      long key = ++keys;
      arrivals.add(new WorkerEvent.Arrival(key, bundle, "n" + key));
    }
    on(new WorkerEvent.Received(arrivals, now, 1_000));
    return first;
  }

  /** The bundle's owners died so often before. */
  WorkerBench diedOf(Bundle bundle, int deaths) {
    return claimed(bundle.header().bundle(), ClaimState.LEASED, deaths, 0, Positions.none());
  }

  /** Somebody else has, or had, this claim; its lease ends then, by the service's clock. */
  WorkerBench claimed(String id, ClaimState state, int attempt, long leaseEnd, Positions started) {
    Claim claim =
        new Claim(
            id,
            state,
            "other",
            "n0",
            attempt,
            1,
            0,
            leaseEnd,
            started,
            Positions.none(),
            new TreeMap<>(),
            0);
    claims.put(id, claim);
    return this;
  }

  /** The claim as it stands; null if there is none. */
  @Nullable Claim claim(String id) {
    return claims.get(id);
  }

  /** Answers every claim call among the effects, as often as there are some. */
  WorkerBench answerClaims() {
    List<WorkerEffect> open = List.copyOf(effects);
    for (WorkerEffect effect : open) {
      if (effect instanceof WorkerEffect.OfBundle of
          && of.effect() instanceof BundleEffect.CallClaims call) {
        effects.remove(effect);
        answer(call.call()).ifPresent(event -> on(new WorkerEvent.OfBundle(of.bundle(), event)));
      }
    }
    return this;
  }

  private Optional<BundleEvent> answer(ClaimEffect.Call call) {
    String id =
        switch (call) {
          case ClaimEffect.Acquire acquire -> acquire.acquisition().id();
          case ClaimEffect.Write write -> write.write().id();
          case ClaimEffect.Survive survive -> survive.id();
        };
    Claim item = claims.get(id);
    Optional<Claim> changed =
        switch (call) {
          case ClaimEffect.Acquire acquire -> ClaimRules.acquire(item, acquire.acquisition());
          case ClaimEffect.Write write -> ClaimRules.write(item, write.write());
          case ClaimEffect.Survive survive -> ClaimRules.survive(item, survive.attempt());
        };
    changed.ifPresent(claim -> claims.put(id, claim));
    ClaimAnswer answer =
        changed
            .<ClaimAnswer>map(ClaimAnswer.Accepted::new)
            .orElseGet(() -> new ClaimAnswer.Refused(item));
    return switch (call) {
      case ClaimEffect.Acquire acquire -> Optional.of(new BundleEvent.AcquireAnswered(id, answer));
      case ClaimEffect.Write write ->
          Optional.of(new BundleEvent.WriteAnswered(id, write.write().seq(), answer));
      case ClaimEffect.Survive survive -> Optional.empty();
    };
  }

  WorkerBench slotFree(WorkerEffect.Run run) {
    return on(
        new WorkerEvent.SlotFree(
            run.slot(),
            run.bundle(),
            run.tasks(),
            10,
            Positions.none(),
            Positions.none(),
            List.of()));
  }

  /** What runs were asked for, and are not any more on the list. */
  List<WorkerEffect.Run> runs() {
    List<WorkerEffect.Run> runs = new ArrayList<>(of(WorkerEffect.Run.class));
    effects.removeAll(runs);
    return runs;
  }

  <T extends WorkerEffect> List<T> of(Class<T> type) {
    return effects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** What is asked for on behalf of a bundle. */
  List<BundleEffect> about(long key) {
    return of(WorkerEffect.OfBundle.class).stream()
        .filter(of -> of.bundle() == key)
        .map(WorkerEffect.OfBundle::effect)
        .toList();
  }
}
