package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.gang.ManagerMachine;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.gang.SubWorkerMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Addresses;
import io.cloudkon.hpc.rmi.Endpoint;
import io.cloudkon.hpc.rmi.Identity;
import io.cloudkon.hpc.rmi.RmiSettings;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.hpc.rmi.Welcome;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's part in HPC jobs. One thread, the loop, owns the machines of the manager and of the
 * sub-worker: it takes events from the inbox, and hands the effects to callers, whose outcomes come
 * back as events. Thread safe.
 */
public final class GangService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GangService.class);
  private static final long TICK_NANOS = 50_000_000L;

  /** Others give up a call sooner. */
  private static final long LEAST_PATIENCE_MILLIS = 3_000;

  private final GangSettings settings;
  private final Cluster cluster;
  private final TimeSource time;
  private final GangInbox inbox;
  private final Map<Long, BundleInHand> jobs;
  private final GangHost host;
  private final Executor io;
  private final ManagerMachine manager;
  private final SubWorkerMachine subWorker;
  private final LedgerCaller ledger;
  private final OfferSender offerSender;
  private final RankOffers rankOffers;
  private final RankSource rankSource;
  private final Acknowledger offersTaken;
  private final RankRuns runs;
  private final GangDoor door;
  private final Secrets secrets = new Secrets();
  private final Stubs stubs;
  private final Endpoint endpoint;
  private final Map<String, ManagedGang> managed = new ConcurrentHashMap<>();

  /** Jobs whose results are known, and on their way; the loop's. */
  private final Set<Long> settled = new HashSet<>();

  private final MpiLaunches launches;
  private final GangOrders orders;
  private final Settling settling;
  private final ServedGangs served;
  private final Pulse pulse;
  private final Thread loop;
  private volatile int slotsToOffer;
  private volatile int ranksHere;
  private volatile int jobsHere;
  private volatile int gangsHere;
  private volatile boolean drained;
  private volatile boolean draining;
  private volatile boolean closing;
  private volatile boolean failed;

  /**
   * Starts it.
   *
   * @param inbox what its callers tell, those of {@code host} among them
   * @param jobs in hand, by key; {@code host} adds what arrives
   * @param pulse says that the loop has looked at every job's lease
   */
  public GangService(
      GangConfig config,
      Cluster cluster,
      TimeSource time,
      GangInbox inbox,
      Map<Long, BundleInHand> jobs,
      GangHost host,
      Pulse pulse,
      Later later,
      BackOff backOff,
      Executor io) {
    this.settings = config.settings();
    this.cluster = cluster;
    this.time = time;
    this.inbox = inbox;
    this.jobs = jobs;
    this.host = host;
    this.pulse = pulse;
    this.io = io;
    Supplier<String> names = () -> UUID.randomUUID().toString();
    manager = new ManagerMachine(settings, names);
    subWorker = new SubWorkerMachine(settings);
    ledger =
        new LedgerCaller(
            cluster.hpc().ledger(),
            new FleetReads(cluster.decisions(), time),
            settings.worker(),
            time,
            inbox,
            later,
            backOff,
            io);
    offerSender = new OfferSender(cluster.hpc().ranks(), inbox, later, backOff);
    offersTaken = new Acknowledger(cluster.hpc().ranks(), later, backOff);
    Identity identity = config.rmiTls() ? Identity.fresh() : Identity.none();
    stubs = new Stubs(RmiSettings.defaults().withTimeouts(500, 1_500), identity);
    RankRunner runner = RankRunner.of(host.runner(), host.health());
    runs = new RankRuns(runner, host.inputs(), stubs, pulse, time, inbox);
    String address = config.rmiAddress() == null ? Addresses.own() : config.rmiAddress();
    launches = new MpiLaunches(host.inputs(), host.runner()::mpiexec, address, inbox);
    long patience = Math.max(LEAST_PATIENCE_MILLIS, settings.silence());
    door = new GangDoor(inbox, managed, runs, launches, patience);
    endpoint = Endpoint.open(address, config.rmiPort(), door, door, secrets, identity);
    orders =
        new GangOrders(
            new GangOrders.SubWorkers(settings.worker(), door, stubs::subWorker),
            launches,
            inbox,
            io);
    settling = new Settling(launches, host.stats(), inbox, time, io);
    served =
        new ServedGangs(
            new ServedGangs.Managers(settings.worker(), endpoint::address, door, stubs::manager),
            secrets,
            runs,
            offerSender,
            offersTaken,
            inbox,
            time,
            io,
            subWorker::has);
    rankOffers = new RankOffers(served, offerSender, inbox, endpoint::address);
    rankSource =
        new RankSource(
            cluster.hpc().ranks(),
            () -> draining ? 0 : slotsToOffer + host.freeSlots(),
            inbox,
            served::offered,
            backOff,
            time::monotonicNanos);
    loop = Thread.ofPlatform().name("cloudkon-gangs").start(this::loop);
  }

  // ---- from outside

  /** Where other workers reach it. */
  public Address address() {
    return endpoint.address();
  }

  /** Calls of others that were refused: a wrong secret, or content that nobody of ours sends. */
  public long refused() {
    return secrets.refused() + endpoint.rejected();
  }

  /** Ranks that run here, or are to. */
  public int ranks() {
    return ranksHere;
  }

  /** Ranks that run here now. */
  public int busy() {
    return runs.busy();
  }

  /** Whether the calling thread runs a rank that was to end, and others may run its job by now. */
  public boolean runsEnded() {
    return runs.runsEnded();
  }

  /** Jobs in hand. */
  public int jobsInHand() {
    return jobsHere;
  }

  /** Gangs that it manages. */
  public int gangs() {
    return gangsHere;
  }

  /** The number of free slots of the worker may have changed. */
  public void slotsChanged() {
    rankSource.look();
  }

  /** Takes no more; what runs may end. Returns at once. */
  public void drain() {
    if (!draining) {
      draining = true;
      rankSource.stop();
      host.stopReceiving();
      inbox.tell(new GangEvent.Drain());
      inbox.tell(new SubWorkerEvent.Drain());
    }
  }

  /** Ends what runs. Returns at once. */
  public void kill() {
    drain();
    inbox.tell(new GangEvent.Kill());
    inbox.tell(new SubWorkerEvent.Kill());
  }

  /** Nothing is in hand, and nothing will come any more. */
  public boolean drained() {
    return drained;
  }

  /** Whether it ended by a mistake of ours. */
  public boolean failed() {
    return failed;
  }

  // ---- the loop

  private void loop() {
    try {
      long nextTick = time.monotonicNanos();
      while (!closing && !drained) {
        GangInbox.Happening happening = inbox.poll(nextTick - time.monotonicNanos());
        Moment now = time.now();
        if (happening == null) {
          nextTick = time.monotonicNanos() + TICK_NANOS;
          on(new SubWorkerEvent.Tick(), now);
          on(new GangEvent.Tick(), now);
          pulse.beat(now);
        } else {
          switch (happening) {
            case GangInbox.Happening.Managed of -> on(of.event(), now);
            case GangInbox.Happening.Served of -> on(of.event(), now);
          }
        }
        publish();
      }
    } catch (InterruptedException e) {
      LOG.warn("the loop of the gangs was interrupted: it ends at once");
    } catch (RuntimeException | Error e) {
      failed = true;
      LOG.error("the loop of the gangs failed: what it had in hand runs elsewhere", e);
    } finally {
      drained = true;
      host.changed();
    }
  }

  private void publish() {
    boolean more = slotsToOffer != subWorker.slotsToOffer();
    slotsToOffer = subWorker.slotsToOffer();
    ranksHere = subWorker.ranks();
    jobsHere = manager.jobsInHand();
    gangsHere = manager.gangsManaged();
    host.backlog().is(jobsHere - settled.size());
    if (more) {
      rankSource.look();
    }
    if (draining && manager.drained() && subWorker.idle()) {
      drained = true;
    }
  }

  private void on(GangEvent event, Moment now) {
    for (GangEffect effect : manager.on(event, now)) {
      LOG.debug("{}", effect);
      carryOut(effect, now);
    }
  }

  private void on(SubWorkerEvent event, Moment now) {
    for (SubWorkerEffect effect : subWorker.on(event, now)) {
      LOG.debug("{}", effect);
      carryOut(effect);
    }
  }

  // ---- the manager's effects

  private void carryOut(GangEffect effect, Moment now) {
    switch (effect) {
      case GangEffect.Receive receive -> io.execute(() -> host.receive(receive.max()));
      case GangEffect.OfBundle of -> {
        BundleInHand job = jobs.get(of.job());
        if (job != null) {
          host.carryOut(job, of.effect());
        }
        if (of.effect() instanceof BundleEffect.Close) {
          jobs.remove(of.job());
          settled.remove(of.job());
        }
      }
      case GangEffect.Rearm rearm -> {
        settled.remove(rearm.job());
        BundleInHand job = jobs.remove(rearm.job());
        if (job != null) {
          jobs.put(rearm.newKey(), job.again(rearm.newKey(), rearm.nonce()));
        }
      }
      case GangEffect.ReadClaim read -> io.execute(() -> readClaim(read));
      case GangEffect.OfLedger of -> ledger.call(of.call());
      case GangEffect.Open open ->
          managed.put(
              open.gang(), ManagedGang.open(open.gang(), settings.worker(), secrets, address()));
      case GangEffect.Offer offer -> offer(offer);
      case GangEffect.Welcome welcome ->
          door.welcome(
              welcome.call(),
              new Welcome(
                  welcome.accepted().stream().mapToInt(Integer::intValue).toArray(),
                  welcome.leaseMillis()));
      case GangEffect.Standing standing ->
          door.standing(standing.call(), new Standing(standing.known(), standing.leaseMillis()));
      case GangEffect.Start start -> start(start);
      case GangEffect.KillRanks kill -> orders.kill(kill, managed.get(kill.gang()));
      case GangEffect.Dissolve dissolve -> {
        orders.dissolve(dissolve, managed.remove(dissolve.gang()));
        secrets.dismiss(dissolve.gang());
      }
      case GangEffect.Settle settle -> {
        settled.add(settle.job());
        settle(settle);
      }
      case GangEffect.Reserved reserved ->
          on(new SubWorkerEvent.Reserved(reserved.reservation()), now);
    }
  }

  private void readClaim(GangEffect.ReadClaim read) {
    try {
      inbox.tell(
          new GangEvent.ClaimRead(
              read.job(), cluster.claims().read(List.of(read.claim())).get(read.claim())));
    } catch (RuntimeException | Error e) {
      // Asked out of courtesy: whoever acquires it finds out all the same.
      LOG.debug("could not read the claim of job {}: {}", read.claim(), e.toString());
    }
  }

  private void offer(GangEffect.Offer offer) {
    ManagedGang gang = managed.get(offer.gang());
    BundleInHand job = jobs.get(offer.job());
    if (gang == null || job == null) {
      return;
    }
    rankOffers.offer(offer, gang, job.header(), draining ? 0 : slotsToOffer + host.freeSlots());
  }

  private void start(GangEffect.Start start) {
    ManagedGang gang = managed.get(start.gang());
    BundleInHand job = jobs.get(start.job());
    if (gang != null && job != null) {
      settled.remove(start.job());
      orders.start(start, gang, job);
    }
  }

  private void settle(GangEffect.Settle settle) {
    BundleInHand job = jobs.get(settle.job());
    if (job != null) {
      String id = job.header().bundle();
      settling.settle(
          settle,
          job,
          managed.values().stream().filter(gang -> gang.runs(id)).findFirst().orElse(null));
    }
  }

  // ---- the sub-worker's effects

  private void carryOut(SubWorkerEffect effect) {
    switch (effect) {
      case SubWorkerEffect.WantSlots want -> host.keepSlots(want.question(), want.slots());
      case SubWorkerEffect.Register register -> served.register(register);
      case SubWorkerEffect.DeleteOffers delete -> served.delete(delete.handles());
      case SubWorkerEffect.PutBackOffers back -> served.putBack(back.handles());
      case SubWorkerEffect.Beat beat -> served.beat(beat);
      case SubWorkerEffect.StartAnswer answer -> startAnswer(answer);
      case SubWorkerEffect.KillRanks kill -> runs.kill(kill.gang(), kill.job(), kill.attempt());
      case SubWorkerEffect.Forget forget -> served.forget(forget.gang());
      case SubWorkerEffect.Keep keep -> ledger.keep(keep);
    }
  }

  /**
   * Whoever asked may have gone meanwhile, and takes it for refused: then its manager's next answer
   * ends them.
   */
  private void startAnswer(SubWorkerEffect.StartAnswer answer) {
    StartRanks order = door.order(answer.call());
    if (answer.starts() && order != null) {
      served.start(answer.gang(), order);
    }
    door.starts(answer.call(), answer.starts());
  }

  /** Ends at once; what runs is killed. */
  @Override
  public void close() throws InterruptedException {
    draining = true;
    closing = true;
    host.stopReceiving();
    inbox.tell(new GangEvent.Tick());
    loop.join();
    rankSource.close();
    jobs.values().forEach(job -> job.abandon("its worker has ended"));
    runs.close();
    launches.close();
    endpoint.close();
    stubs.close();
    offerSender.close();
    offersTaken.close();
    host.close();
  }
}
