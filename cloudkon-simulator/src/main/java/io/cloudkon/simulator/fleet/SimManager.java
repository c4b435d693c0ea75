package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.gang.ManagerMachine;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.cloud.SimWire;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimOffer;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The manager's machine of one worker, and a driver that does what it says. */
final class SimManager {
  private static final long LONG_POLL = 20_000_000;
  private static final long RUN_LOOK = 500_000;

  /** By then the ledger has whoever is there, whatever befalls the services. */
  private static final long KNOWN_AFTER = 60_000_000;

  private static final Positions THE_JOB = Positions.range(0, 1);

  private final World world;
  private final SimHpc hpc;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final ManagerMachine machine;
  private final LedgerCalls ledger;
  private final Carrier carrier;
  private final Replies replies;
  private final RunLooks runs;
  private final BackOff backOff;
  private final Consumer<SubWorkerEvent> subWorker;
  private final Batcher<SimOffer> offers;
  private final Map<Long, Hand> hands = new LinkedHashMap<>();
  private final Map<Long, Reply<GangEffect.Welcome>> registrations = new HashMap<>();
  private final Map<Long, Reply<GangEffect.Standing>> reports = new HashMap<>();
  private final Map<Long, Long> started = new HashMap<>();
  private @Nullable SimLifetime lifetime;
  private long keys;
  private boolean receiving;
  private boolean draining;
  private long calls;
  private long names;
  private long nextRunLook;

  SimManager(
      World world,
      SimProcess process,
      SplittableRandom random,
      WorkerSetup setup,
      GangSettings settings,
      RunLooks runs,
      Consumer<SubWorkerEvent> subWorker) {
    this.world = world;
    this.hpc = world.hpc();
    this.process = process;
    this.setup = setup;
    this.runs = runs;
    this.subWorker = subWorker;
    machine = new ManagerMachine(settings, () -> process.name() + "-g" + ++names);
    backOff = new BackOff(50, 2_000, random);
    ledger = new LedgerCalls(world, process, backOff, this::tell);
    replies =
        new Replies(world, process, runs, backOff, setup.replyTimeoutMillis(), this::tellOfBundle);
    carrier =
        new Carrier(
            world,
            hpc.jobs(),
            process,
            setup.slots(),
            backOff,
            replies,
            event -> {},
            this::tellOfBundle);
    offers =
        new Batcher<>(
            2, Limits.BATCH, Limits.MESSAGE_BYTES, offer -> SimOffer.BYTES, this::sendOffers);
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
    replies.goNowhere(from);
  }

  void runClosed(SimRun run) {
    for (Hand hand : List.copyOf(hands.values())) {
      if (hand.request.run().index() == run.index()) {
        tellOfBundle(hand, new BundleEvent.RunClosed());
      }
    }
  }

  void tick() {
    if (world.timeline().now() >= nextRunLook) {
      nextRunLook = world.timeline().now() + RUN_LOOK;
      hands.values().stream()
          .map(hand -> hand.request.run())
          .distinct()
          .toList()
          .forEach(runs::look);
    }
    tell(new GangEvent.Tick());
  }

  /** Somebody asks for ranks. */
  void asked(LongFunction<GangEvent> question, Reply<GangEffect.Welcome> reply) {
    registrations.put(++calls, reply);
    tell(question.apply(calls));
  }

  /** Somebody says that he lives. */
  void reported(LongFunction<GangEvent> question, Reply<GangEffect.Standing> reply) {
    reports.put(++calls, reply);
    tell(question.apply(calls));
  }

  private void tellOfBundle(Hand hand, BundleEvent event) {
    tell(new GangEvent.OfBundle(hand.key, event));
  }

  void tell(GangEvent event) {
    if (process.dead()) {
      return;
    }
    for (GangEffect effect : world.twist().wanted(event, machine.on(event, process.now()))) {
      carryOut(effect);
    }
  }

  // ---- effects

  private void carryOut(GangEffect effect) {
    switch (effect) {
      case GangEffect.Receive receive -> receive(receive.max());
      case GangEffect.OfBundle of -> carryOut(hand(of.job()), of.effect());
      case GangEffect.Rearm rearm -> {
        Hand before = hand(rearm.job());
        before.closed = true;
        hands.remove(rearm.job());
        hands.put(rearm.newKey(), before.again(rearm.newKey(), rearm.nonce()));
      }
      case GangEffect.ReadClaim read -> readClaim(read);
      case GangEffect.OfLedger of -> ledger.call(of.call());
      case GangEffect.Open open -> {}
      case GangEffect.Offer offer -> offer(offer);
      case GangEffect.Welcome welcome -> answer(registrations.remove(welcome.call()), welcome);
      case GangEffect.Standing standing -> answer(reports.remove(standing.call()), standing);
      case GangEffect.Start start -> start(start);
      case GangEffect.KillRanks kill ->
          kill.workers()
              .forEach(worker ->
                  hpc.wire()
                      .tell(
                          process,
                          worker,
                          () -> "end %s under %d".formatted(kill.job(), kill.attempt()),
                          door -> door.kill(kill.gang(), kill.job(), kill.attempt())));
      case GangEffect.Dissolve dissolve ->
          dissolve
              .workers()
              .forEach(worker ->
                  hpc.wire()
                      .tell(
                          process,
                          worker,
                          () -> "gang %s is no more".formatted(dissolve.gang()),
                          door -> door.dissolve(dissolve.gang())));
      case GangEffect.Settle settle -> settle(hand(settle.job()), settle.verdict());
      case GangEffect.Reserved reserved ->
          subWorker.accept(new SubWorkerEvent.Reserved(reserved.reservation()));
    }
  }

  private static <A> void answer(@Nullable Reply<A> reply, A answer) {
    if (reply != null) {
      reply.of(answer);
    }
  }

  private Hand hand(long key) {
    Hand hand = hands.get(key);
    if (hand == null) {
      throw new Violation("%s wants something for closed job %d", process.name(), key);
    }
    return hand;
  }

  /** Takes no more; a receive that is under way is cut short, and what it brings is hidden. */
  void drain() {
    draining = true;
    tell(new GangEvent.Drain());
    if (receiving) {
      receiving = false;
      tell(new GangEvent.ReceiveFailed());
    }
  }

  private void receive(int max) {
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    receiving = true;
    hpc.jobs()
        .receive(
            process,
            max,
            lifetime == null ? LONG_POLL : lifetime.pollMicros(),
            setup.lease().lease() * 1000,
            got -> received(got, begun, begunMicros));
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
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>(got.size());
    for (Delivery<Request> delivery : got) {
      long key = ++keys;
      String nonce = process.name() + "-j" + key;
      hands.put(key, new Hand(key, delivery, nonce, begunMicros, world.timeline().now()));
      arrivals.add(
          new WorkerEvent.Arrival(key, delivery.body().bundle(), nonce, delivery.receives()));
    }
    tell(new GangEvent.Received(arrivals, begun));
    got.stream().map(one -> one.body().run()).distinct().toList().forEach(runs::look);
  }

  private void readClaim(GangEffect.ReadClaim read) {
    String run = hand(read.job()).request.run().id();
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

  private void offer(GangEffect.Offer offer) {
    String job = hand(offer.job()).request.id();
    offer
        .ranks()
        .forEach(rank ->
            offers.add(new SimOffer(offer.gang(), job, rank, process.name(), offer.deadline())));
  }

  private void sendOffers(List<SimOffer> batch, Runnable answered) {
    hpc.ranks()
        .send(
            process,
            batch,
            sent -> {
              TreeSet<String> failed = new TreeSet<>();
              for (int i = 0; i < batch.size(); i++) {
                if (sent == null || sent.refused().get(i)) {
                  failed.add(batch.get(i).gang());
                }
              }
              failed.forEach(gang ->
                  process.in(
                      backOff.millis(2) * 1000, () -> tell(new GangEvent.OfferFailed(gang))));
              answered.run();
            });
  }

  private void start(GangEffect.Start start) {
    Hand hand = hand(start.job());
    world
        .witness()
        .ranks()
        .ordered(
            hand.request, start.size(), start.ranks().values().stream().mapToInt(List::size).sum());
    world
        .witness()
        .started(
            process.name(), hand.request, 0, hand.nonce, start.attempt(), world.serviceMillis());
    started.put(hand.key, world.timeline().now());
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
    hpc.wire()
        .ask(
            process,
            worker,
            () -> "start ranks %s of %s".formatted(order.ranks(), order.job()),
            (SimWire.Question<Boolean>) (door, reply) -> door.start(gang, order, reply),
            starts -> {
              if (starts == null && tries < 2) {
                order(gang, worker, order, tries + 1);
              } else if (starts == null || !starts) {
                tell(new GangEvent.StartFailed(gang, worker));
              }
            });
  }

  private void settle(Hand hand, GangEffect.Verdict verdict) {
    long now = world.timeline().now();
    boolean failed =
        switch (verdict) {
          case GangEffect.Verdict.TooLarge large -> {
            tooLarge(hand);
            hand.failed(0, now);
            yield true;
          }
          case GangEffect.Verdict.Succeeded ok -> ended(hand, now, false);
          case GangEffect.Verdict.RankFailed one -> ended(hand, now, true);
          case GangEffect.Verdict.LaunchFailed one ->
              throw new Violation("nothing is launched beside ranks of %s", hand);
        };
    process.in(
        1_000,
        () ->
            tellOfBundle(
                hand,
                new BundleEvent.Finished(
                    THE_JOB,
                    hand.request.run().tasks().resultBytes(hand.task(0).ordinal()),
                    failed ? THE_JOB : Positions.none())));
  }

  private boolean ended(Hand hand, long now, boolean failed) {
    boolean fails = hand.failsNext(0);
    long from = started.getOrDefault(hand.key, now);
    if (fails != failed) {
      throw new Violation(
          "job %s is said to have %s", hand, failed ? TaskStatus.FAILED : TaskStatus.SUCCEEDED);
    }
    return hand.finished(0, from, now);
  }

  private void tooLarge(Hand hand) {
    int ranks = hand.task(0).work() instanceof Work.Hpc hpcWork ? hpcWork.ranks() : 1;
    int there = hpc.roster().slotsSince(world.timeline().now() - KNOWN_AFTER);
    if (there >= ranks) {
      throw new Violation(
          "%s with %d ranks is said to be too large, and there are %d slots", hand, ranks, there);
    }
    SimScaling scaling = world.cloud().scalingIfAny();
    long now = world.serviceMillis();
    if (scaling != null && scaling.mayLaunch(ranks, now - KNOWN_AFTER / 1000, now)) {
      throw new Violation(
          "%s with %d ranks is said to be too large, and the provisioner may launch so many",
          hand, ranks);
    }
    world.trace().say(process.name(), "says that %s is too large", hand);
    world.witness().tooLarge(hand.request);
  }

  private void carryOut(Hand hand, BundleEffect effect) {
    int attempt = machine.attempt(hand.key);
    switch (effect) {
      case BundleEffect.CallClaims call -> carrier.claims(hand, call.call());
      case BundleEffect.SendResults send -> {
        mayAct("results", hand, attempt);
        carrier.results(hand, send, attempt);
      }
      case BundleEffect.SendLost send -> {
        mayAct("LOST", hand, attempt);
        carrier.lost(hand, send, attempt);
      }
      case BundleEffect.SendFailed send -> {
        mayAct("FAILED", hand, attempt);
        carrier.failed(hand, send, attempt);
      }
      case BundleEffect.SendDead send -> {
        mayAct("dead letter", hand, attempt);
        carrier.dead(hand, send);
      }
      case BundleEffect.SendChild child -> {
        mayAct("child", hand, attempt);
        carrier.child(hand, child);
      }
      case BundleEffect.ExtendVisibility extend -> carrier.hide(hand, extend.millis());
      case BundleEffect.PutBack back -> carrier.hide(hand, back.millis());
      case BundleEffect.DeleteMessage delete -> carrier.delete(hand);
      case BundleEffect.NoteSick note -> carrier.noteSick(hand, note.claim());
      case BundleEffect.Kill kill -> {}
      case BundleEffect.Close close -> {
        if (world.trace().on()) {
          world.trace().say(process.name(), "closes %s: %s", hand, close.reason());
        }
        hand.closed = true;
        hands.remove(hand.key);
      }
    }
  }

  private void mayAct(String what, Hand hand, int attempt) {
    world
        .witness()
        .mayAct(what, process.name(), hand.request, hand.nonce, attempt, world.serviceMillis());
  }

  @Override
  public String toString() {
    return machine.toString();
  }
}
