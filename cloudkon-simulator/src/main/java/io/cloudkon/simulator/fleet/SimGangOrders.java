package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.simulator.cloud.SimWire;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.function.Consumer;

/** A manager's orders to the sub-workers of its gangs: start ranks, end ranks, dissolve. */
final class SimGangOrders {
  private final World world;
  private final SimWire wire;
  private final SimProcess process;
  private final Consumer<GangEvent> events;

  SimGangOrders(World world, SimProcess process, Consumer<GangEvent> events) {
    this.world = world;
    this.wire = world.hpc().wire();
    this.process = process;
    this.events = events;
  }

  /** Orders all ranks of this job to start. */
  void start(GangEffect.Start start, SimBundle hand) {
    world
        .witness()
        .ranks()
        .ordered(
            hand.request, start.size(), start.ranks().values().stream().mapToInt(List::size).sum());
    world
        .witness()
        .started(
            process.name(), hand.request, 0, hand.nonce, start.attempt(), world.serviceMillis());
    boolean fails = hand.failsNext(0);
    start
        .ranks()
        .forEach((worker, ranks) ->
            order(
                start.gang(),
                worker,
                new StartOrder(hand.request, start.attempt(), start.size(), ranks, fails),
                1));
  }

  private void order(String gang, String worker, StartOrder order, int tries) {
    wire.ask(
        process,
        worker,
        () -> "start ranks %s of %s".formatted(order.ranks(), order.job()),
        (SimWire.Question<Boolean>) (door, reply) -> door.start(gang, order, reply),
        starts -> {
          if (starts == null && tries < 2) {
            order(gang, worker, order, tries + 1);
          } else if (starts == null || !starts) {
            events.accept(new GangEvent.StartFailed(gang, order.job(), order.attempt(), worker));
          }
        });
  }

  void kill(GangEffect.KillRanks kill) {
    kill.workers()
        .forEach(worker ->
            wire.tell(
                process,
                worker,
                () -> "end %s under %d".formatted(kill.job(), kill.attempt()),
                door -> door.kill(kill.gang(), kill.job(), kill.attempt())));
  }

  void dissolve(GangEffect.Dissolve dissolve) {
    dissolve
        .workers()
        .forEach(worker ->
            wire.tell(
                process,
                worker,
                () -> "gang %s is no more".formatted(dissolve.gang()),
                door -> door.dissolve(dissolve.gang())));
  }
}
