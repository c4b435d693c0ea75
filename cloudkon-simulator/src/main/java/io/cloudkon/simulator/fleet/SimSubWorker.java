package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.gang.OfferPause;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.gang.SubWorkerMachine;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.cloud.SimWire;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimOffer;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The sub-worker's state machine of one worker, and a driver that carries out its effects. */
final class SimSubWorker {
  private static final long LONG_POLL = 20_000_000;
  private static final long VISIBILITY = 10_000_000;
  private static final int DELETE_TRIES = 8;

  private final World world;
  private final SimHpc hpc;
  private final SimProcess process;
  private final SubWorkerMachine machine;
  private final SimRanks ranks;
  private final IntSupplier freeSlots;
  private final IntSupplier slotsSoon;
  private final Consumer<WorkerEvent> worker;
  private final BackOff backOff;
  private final Batcher<Deletion> deletions;
  private final Map<String, Delivery<SimOffer>> offers = new HashMap<>();
  private final Map<String, String> managers = new HashMap<>();
  private final Map<Long, Ordered> ordered = new HashMap<>();
  private long handles;
  private long calls;
  private int failures;
  private boolean receiving;
  private boolean draining;
  private final OfferPause pause = new OfferPause();

  private record Ordered(StartOrder order, Reply<Boolean> reply) {}

  private record Deletion(Delivery<SimOffer> delivery, int tries) {}

  SimSubWorker(
      World world,
      SimProcess process,
      SplittableRandom random,
      GangSettings settings,
      IntSupplier freeSlots,
      IntSupplier slotsSoon,
      Consumer<WorkerEvent> worker) {
    this.world = world;
    this.hpc = world.hpc();
    this.process = process;
    this.freeSlots = freeSlots;
    this.slotsSoon = slotsSoon;
    this.worker = worker;
    machine = new SubWorkerMachine(settings);
    backOff = new BackOff(50, 2_000, random.split());
    ranks = new SimRanks(world, process, random.split(), settings.slots(), this::tell);
    deletions = new Batcher<>(1, Limits.BATCH, Limits.BATCH, one -> 1, this::delete);
  }

  boolean idle() {
    return machine.idle() && ranks.idle();
  }

  /** The number of slots in which ranks run. */
  int busy() {
    return ranks.count();
  }

  void tell(SubWorkerEvent event) {
    if (process.dead()) {
      return;
    }
    SubWorkerEvent told = world.twist().told(event);
    if (told != null) {
      for (SubWorkerEffect effect : world.twist().wanted(told, machine.on(told, process.now()))) {
        carryOut(effect);
      }
    }
    look();
  }

  void drain() {
    draining = true;
    tell(new SubWorkerEvent.Drain());
  }

  /** Handles an order to start ranks. */
  void ordered(String gang, StartOrder order, Reply<Boolean> reply) {
    long call = ++calls;
    ordered.put(call, new Ordered(order, reply));
    tell(new SubWorkerEvent.StartOrdered(call, gang, order.job(), order.attempt(), order.ranks()));
  }

  // ---- offers

  /** Receives offers as long as there is a slot for one, or will be in a moment. */
  void look() {
    int hand =
        machine.slotsToOffer()
            + freeSlots.getAsInt()
            + machine.offersThatMayWait(slotsSoon.getAsInt());
    boolean pauses = pause.pauses(process.now().mono());
    if (receiving || draining || pauses || hand <= 0 || process.dead()) {
      return;
    }
    receiving = true;
    hpc.ranks()
        .receive(process, Math.min(hand, Limits.BATCH), LONG_POLL, VISIBILITY, this::received);
  }

  private void received(@Nullable List<Delivery<SimOffer>> got) {
    if (got == null) {
      process.in(
          backOff.millis(++failures) * 1000,
          () -> {
            receiving = false;
            look();
          });
      return;
    }
    failures = 0;
    receiving = false;
    List<SubWorkerEvent.Offer> come = new ArrayList<>();
    boolean pauses = pause.pauses(process.now().mono());
    for (Delivery<SimOffer> delivery : got) {
      if (pauses) {
        hpc.ranks().hide(process, delivery, 0, a -> {});
        continue;
      }
      SimOffer offer = delivery.body();
      String handle = Long.toString(++handles);
      offers.put(handle, delivery);
      managers.put(offer.gang(), offer.manager());
      come.add(
          new SubWorkerEvent.Offer(
              handle, offer.gang(), offer.job(), offer.rank(), offer.deadline()));
    }
    if (!come.isEmpty()) {
      tell(new SubWorkerEvent.Offered(come));
    }
    look();
  }

  private void delete(List<Deletion> batch, Runnable answered) {
    hpc.ranks()
        .delete(
            process,
            batch.stream().map(Deletion::delivery).toList(),
            sent -> {
              for (int i = 0; i < batch.size(); i++) {
                Deletion one = batch.get(i);
                boolean failed = sent == null || sent.refused().get(i);
                if (failed && one.tries() < DELETE_TRIES) {
                  process.in(
                      backOff.millis(one.tries()) * 1000,
                      () -> deletions.add(new Deletion(one.delivery(), one.tries() + 1)));
                }
              }
              answered.run();
            });
  }

  // ---- effects

  private void carryOut(SubWorkerEffect effect) {
    switch (effect) {
      case SubWorkerEffect.WantSlots want ->
          process.in(
              0, () -> worker.accept(new WorkerEvent.KeepSlots(want.question(), want.slots())));
      case SubWorkerEffect.Register register -> register(register, 1);
      case SubWorkerEffect.DeleteOffers delete ->
          delete.handles().forEach(handle -> deletions.add(new Deletion(taken(handle), 1)));
      case SubWorkerEffect.PutBackOffers back ->
          back.handles().forEach(handle -> hpc.ranks().hide(process, taken(handle), 0, a -> {}));
      case SubWorkerEffect.Beat beat -> beat(beat);
      case SubWorkerEffect.StartAnswer answer -> startAnswer(answer);
      case SubWorkerEffect.KillRanks kill -> ranks.kill(kill.gang(), kill.job(), kill.attempt());
      case SubWorkerEffect.Forget forget -> {}
      case SubWorkerEffect.Keep keep ->
          hpc.ledger()
              .keep(
                  process,
                  keep.job(),
                  process.name(),
                  keep.before(),
                  keep.slots(),
                  kept ->
                      tell(
                          new SubWorkerEvent.KeepAnswered(
                              keep.job(), keep.slots(), kept != null && kept)));
    }
  }

  private Delivery<SimOffer> taken(String handle) {
    return java.util.Objects.requireNonNull(offers.remove(handle), "an offer is used twice");
  }

  private String manager(String gang) {
    return managers.getOrDefault(gang, "");
  }

  /** Registers for ranks, again as long as the machine wants it. */
  private void register(SubWorkerEffect.Register register, int tries) {
    Moment begun = process.now();
    hpc.wire()
        .ask(
            process,
            manager(register.gang()),
            () -> "may I have ranks %s of %s".formatted(register.ranks(), register.gang()),
            (SimWire.Question<Optional<GangEffect.Welcome>>)
                (door, reply) ->
                    door.register(register.gang(), process.name(), register.ranks(), reply),
            answer -> {
              if (answer != null) {
                tell(answered(register, answer, begun));
              } else if (register.isRepeated(
                  tries, SimWire.timedOut(begun, process.now()), process.now())) {
                register(register, tries + 1);
              } else {
                tell(new SubWorkerEvent.RegisterFailed(register.gang(), register.ranks()));
              }
            });
  }

  private SubWorkerEvent answered(
      SubWorkerEffect.Register register, Optional<GangEffect.Welcome> answer, Moment begun) {
    if (answer.isEmpty()) {
      long unused = pause.unreached(process.now().mono());
      return new SubWorkerEvent.Unreached(register.gang(), register.ranks());
    }
    GangEffect.Welcome welcome = answer.get();
    if (!welcome.accepted().isEmpty() && !manager(register.gang()).equals(process.name())) {
      pause.reached();
    }
    return new SubWorkerEvent.Welcomed(
        register.gang(), register.ranks(), welcome.accepted(), welcome.leaseMillis(), begun);
  }

  private void beat(SubWorkerEffect.Beat beat) {
    Moment begun = process.now();
    List<GangEvent.Ended> ended = beat.ended();
    hpc.wire()
        .ask(
            process,
            manager(beat.gang()),
            () -> "beat of %s, ended %s".formatted(beat.gang(), ended),
            (SimWire.Question<GangEffect.Standing>)
                (door, reply) ->
                    door.report(beat.gang(), process.name(), ended, beat.leaving(), reply),
            standing ->
                tell(
                    standing == null
                        ? new SubWorkerEvent.BeatFailed(beat.gang())
                        : new SubWorkerEvent.Answered(
                            beat.gang(),
                            standing.known(),
                            standing.leaseMillis(),
                            ended.size(),
                            begun)));
  }

  private void startAnswer(SubWorkerEffect.StartAnswer answer) {
    Ordered order = ordered.remove(answer.call());
    if (order != null) {
      if (answer.starts()) {
        ranks.start(answer.gang(), order.order());
      }
      order.reply().of(answer.starts());
    }
  }

  @Override
  public String toString() {
    return machine.toString();
  }
}
