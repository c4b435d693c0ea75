package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.ReachedWorkers;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimWire;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A manager's orders to the sub-workers of its gangs: start ranks, end ranks, dissolve. */
final class SimGangOrders {
  private final World world;
  private final SimWire wire;
  private final SimProcess process;
  private final Consumer<GangEvent> events;
  private final ReachedWorkers<String> reached = new ReachedWorkers<>();

  SimGangOrders(World world, SimProcess process, Consumer<GangEvent> events) {
    this.world = world;
    this.wire = world.hpc().wire();
    this.process = process;
    this.events = events;
  }

  /** Calls a worker back that registers, unless it was called a moment ago. */
  void callBack(String worker, Reply<Boolean> reply) {
    long begun = process.now().mono();
    boolean known = worker.equals(process.name()) || reached.knows(worker, begun);
    if (known || !world.twist().callsBack()) {
      reply.of(true);
      return;
    }
    wire.ask(
        process,
        worker,
        () -> "is asked for ranks by %s".formatted(worker),
        (SimWire.Question<Boolean>) (door, answer) -> door.ping(answer),
        answer -> {
          if (answer != null) {
            reached.reached(worker, begun);
          }
          reply.of(answer != null);
        });
  }

  /** Orders all ranks of this job to start. */
  void start(GangEffect.Start start, SimBundle hand) {
    world
        .witness()
        .ranks()
        .ordered(
            hand.request, start.size(), start.ranks().values().stream().mapToInt(List::size).sum());
    List<SimProcess> gang = new ArrayList<>(wire.processes(start.ranks().keySet()));
    gang.add(process);
    world.witness().gangs().ordered(hand.request, gang, world.timeline().now());
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
            reached.forget(worker);
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
