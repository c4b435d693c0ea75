package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.gang.ManagerMachine;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The manager's state machine of one worker, and a driver that carries out its effects. */
final class SimManager {
  private final World world;
  private final SimProcess process;
  private final ManagerMachine machine;
  private final SimPipeline jobs;
  private final SimLedgerCaller ledger;
  private final SimOfferSender offers;
  private final SimGangOrders orders;
  private final SimSettling settling;
  private final Consumer<SubWorkerEvent> subWorker;
  private final Map<Long, Reply<GangEffect.Welcome>> registrations = new HashMap<>();
  private final Map<Long, Reply<GangEffect.Standing>> reports = new HashMap<>();
  private @Nullable SimLifetime lifetime;
  private boolean receiving;
  private boolean draining;
  private long calls;
  private long names;

  SimManager(
      World world,
      SimProcess process,
      SplittableRandom random,
      WorkerSetup setup,
      GangSettings settings,
      SimRunWatch runs,
      Consumer<SubWorkerEvent> subWorker) {
    this.world = world;
    this.process = process;
    this.subWorker = subWorker;
    machine = new ManagerMachine(settings, () -> process.name() + "-g" + ++names);
    BackOff backOff = new BackOff(50, 2_000, random);
    jobs = new SimPipeline(world, process, setup, world.hpc().jobs(), backOff, runs, new Served());
    ledger = new SimLedgerCaller(world, process, backOff, this::tell);
    offers = new SimOfferSender(world, process, backOff, this::tell);
    orders = new SimGangOrders(world, process, this::tell);
    settling = new SimSettling(world, process, this::tellOfBundle);
  }

  void endsBy(SimLifetime by) {
    lifetime = by;
  }

  boolean idle() {
    return machine.jobsInHand() == 0 && machine.gangsManaged() == 0;
  }

  /** Whether it has a gang. */
  boolean manages() {
    return machine.gangsManaged() > 0;
  }

  boolean drained() {
    return machine.drained();
  }

  void resultsGoNowhere(boolean from) {
    jobs.resultsGoNowhere(from);
  }

  void runClosed(SimRun run) {
    jobs.runClosed(run);
  }

  void tick() {
    jobs.lookAtRuns();
    tell(new GangEvent.Tick());
  }

  /** Handles a worker's request for ranks, after a call back to it. */
  void asked(
      String worker, LongFunction<GangEvent> question, Reply<Optional<GangEffect.Welcome>> reply) {
    orders.callBack(
        worker,
        reached -> {
          if (reached == null || !reached) {
            reply.of(Optional.empty());
            return;
          }
          registrations.put(++calls, welcome -> reply.of(Optional.ofNullable(welcome)));
          tell(question.apply(calls));
        });
  }

  /** Handles a sub-worker's heartbeat. */
  void reported(LongFunction<GangEvent> question, Reply<GangEffect.Standing> reply) {
    reports.put(++calls, reply);
    tell(question.apply(calls));
  }

  private void tellOfBundle(SimBundle hand, BundleEvent event) {
    tell(new GangEvent.OfBundle(hand.key, event));
  }

  void tell(GangEvent event) {
    if (process.dead()) {
      return;
    }
    GangEvent told = world.twist().told(event);
    for (GangEffect effect : world.twist().wanted(told, machine.on(told, process.now()))) {
      carryOut(effect);
    }
  }

  // ---- effects

  private void carryOut(GangEffect effect) {
    switch (effect) {
      case GangEffect.Receive receive -> {
        receiving = true;
        jobs.receive(receive.max(), lifetime, this::received);
      }
      case GangEffect.OfBundle of -> {
        if (of.effect() instanceof BundleEffect.Close) {
          world.witness().waitingItems().closed(process, jobs.hand(of.job()).request.id());
        }
        jobs.carryOut(of.job(), of.effect());
      }
      case GangEffect.Rearm rearm -> jobs.rearm(rearm.job(), rearm.newKey(), rearm.nonce());
      case GangEffect.ReadClaim read -> readClaim(read);
      case GangEffect.OfLedger of -> ledger.call(of.call());
      case GangEffect.Open open -> {}
      case GangEffect.Offer offer -> offers.offer(offer, jobs.hand(offer.job()).request.id());
      case GangEffect.Welcome welcome -> answer(registrations.remove(welcome.call()), welcome);
      case GangEffect.Standing standing -> answer(reports.remove(standing.call()), standing);
      case GangEffect.Start start -> {
        SimBundle hand = jobs.hand(start.job());
        settling.started(hand);
        orders.start(start, hand);
      }
      case GangEffect.KillRanks kill -> orders.kill(kill);
      case GangEffect.Dissolve dissolve -> orders.dissolve(dissolve);
      case GangEffect.Settle settle ->
          settling.settle(jobs.hand(settle.job()), machine.attempt(settle.job()), settle.verdict());
      case GangEffect.Reserved reserved ->
          subWorker.accept(new SubWorkerEvent.Reserved(reserved.reservation()));
    }
  }

  private static <A> void answer(@Nullable Reply<A> reply, A answer) {
    if (reply != null) {
      reply.of(answer);
    }
  }

  /** Takes no new work; cuts short a receive in flight, whose messages stay hidden. */
  void drain() {
    draining = true;
    tell(new GangEvent.Drain());
    if (receiving) {
      receiving = false;
      tell(new GangEvent.ReceiveFailed());
    }
  }

  private void received(@Nullable List<Delivery<Request>> got, Moment begun, long begunMicros) {
    if (draining) {
      return;
    }
    receiving = false;
    if (lifetime != null) {
      if (got != null && !got.isEmpty()) {
        lifetime.worked();
      }
      lifetime.jobsReceived(begunMicros, got != null && got.isEmpty());
    }
    if (got == null) {
      tell(new GangEvent.ReceiveFailed());
      return;
    }
    got.forEach(one -> world.witness().waitingItems().received(process, one.body().id()));
    List<WorkerEvent.Arrival> arrivals =
        jobs.arrived(got, begunMicros, (key, request) -> process.name() + "-j" + key);
    tell(new GangEvent.Received(arrivals, begun));
    jobs.look(got.stream().map(Delivery::body));
  }

  private void readClaim(GangEffect.ReadClaim read) {
    String run = jobs.hand(read.job()).request.run().id();
    world
        .cloud()
        .claims()
        .read(
            process,
            run,
            List.of(read.claim()),
            found -> {
              if (found != null) {
                tell(new GangEvent.ClaimRead(read.job(), found.get(read.claim())));
              }
            });
  }

  /** The manager's machine as seen by its pipeline. */
  private final class Served implements SimPipeline.Loop {
    @Override
    public int attempt(long key) {
      return machine.attempt(key);
    }

    @Override
    public void tell(SimBundle hand, BundleEvent event) {
      tellOfBundle(hand, event);
    }

    /** Ignores how long claims take, which does not matter for jobs. */
    @Override
    public void tell(WorkerEvent event) {}

    /** Does nothing, because ranks are ended by their own orders. */
    @Override
    public void kill(SimBundle hand) {}
  }

  @Override
  public String toString() {
    return machine.toString();
  }
}
