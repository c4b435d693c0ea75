package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.gang.ManagerMachine;
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
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.ClosingOrder;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's part in HPC jobs: assembles its parts and controls their end. Thread safe.
 *
 * @see GangMachines
 */
public final class GangService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GangService.class);

  /** The minimum time that the loop has for an answer; other workers give up a call sooner. */
  private static final long LEAST_PATIENCE_MILLIS = 3_000;

  private final GangInbox inbox;
  private final Map<Long, BundleInHand> jobs;
  private final GangHost host;
  private final OfferSender offerSender;
  private final RankSource rankSource;
  private final Acknowledger offersTaken;
  private final RankRuns runs;
  private final Secrets secrets = new Secrets();
  private final Stubs stubs;
  private final UnreachableHere unreachable;
  private final Endpoint endpoint;
  private final MpiLaunches launches;
  private final AddressWatch addressWatch;
  private final GangMachines machines;
  private volatile boolean draining;
  private volatile boolean addressLost;

  /**
   * Starts it.
   *
   * @param inbox the inbox of its callers, including those of {@code host}
   * @param jobs the jobs in hand, by key; {@code host} adds each job that arrives
   * @param pulse records that the loop has checked every job's lease
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
    this.inbox = inbox;
    this.jobs = jobs;
    this.host = host;
    GangSettings settings = config.settings();
    Supplier<String> names = () -> UUID.randomUUID().toString();
    ManagerMachine manager = new ManagerMachine(settings, names);
    SubWorkerMachine subWorker = new SubWorkerMachine(settings);
    FleetReads fleet = new FleetReads(cluster.decisions(), time);
    LedgerCaller ledger =
        new LedgerCaller(
            cluster.hpc().ledger(), fleet, settings.worker(), time, inbox, later, backOff, io);
    offerSender = new OfferSender(cluster.hpc().ranks(), inbox, later, backOff, time);
    offersTaken = new Acknowledger(cluster.hpc().ranks(), later, backOff);
    Identity identity = config.rmiTls() ? Identity.fresh() : Identity.none();
    stubs = new Stubs(RmiSettings.defaults().withTimeouts(500, 1_500), identity);
    HinderedStarts hindered =
        new HinderedStarts(
            job -> cluster.claims().noteSick(job, settings.worker(), Claim.ttl(time.now())),
            time::monotonicNanos);
    RankExecution execution =
        new RankExecution(
            RankRunner.of(host.runner()), host.inputs(), host.health(), hindered, pulse, time);
    runs = new RankRuns(execution, hindered, stubs, time, inbox, host::leave);
    String address = config.rmiAddress() == null ? Addresses.own() : config.rmiAddress();
    addressWatch = new AddressWatch(address, Addresses::isHere);
    launches =
        new MpiLaunches(host.inputs(), host.runner()::mpiexec, host.health(), address, inbox);
    long patience = Math.max(LEAST_PATIENCE_MILLIS, settings.silence());
    Map<String, ManagedGang> gangs = new ConcurrentHashMap<>();
    unreachable = new UnreachableHere(time::monotonicNanos, host.stats()::unreachable);
    CallBacks callBacks = new CallBacks(settings.worker(), stubs::subWorker, time::monotonicNanos);
    GangDoor door = new GangDoor(inbox, gangs, runs, launches, callBacks, patience);
    endpoint = Endpoint.open(address, config.rmiPort(), door, door, secrets, identity);
    ServedGangs others =
        new ServedGangs(
            new ServedGangs.Managers(settings.worker(), endpoint::address, door, stubs::manager),
            secrets,
            runs,
            offerSender,
            offersTaken,
            inbox,
            time,
            io,
            unreachable,
            subWorker::has);
    SubWorkerEffects served = new SubWorkerEffects(host, others, runs, ledger, door);
    ManagerEffects managed =
        new ManagerEffects(
            settings.worker(),
            host,
            jobs,
            gangs,
            cluster.claims(),
            ledger,
            door,
            new OfferRouter(others, offerSender, inbox, endpoint::address),
            new GangOrders(
                new GangOrders.SubWorkers(settings.worker(), door, stubs::subWorker, callBacks),
                launches,
                inbox,
                io),
            new Settling(launches, host.stats(), inbox, time, io),
            secrets,
            endpoint::address,
            this::offerable,
            this::tellSubWorker,
            inbox,
            io);
    machines =
        new GangMachines(
            time,
            inbox,
            host,
            manager,
            managed,
            subWorker,
            served,
            pulse,
            () -> draining,
            this::lookForAddress,
            this::slotsChanged);
    rankSource =
        new RankSource(
            cluster.hpc().ranks(),
            this::receivable,
            inbox,
            others::offered,
            backOff,
            time::monotonicNanos);
    machines.start();
  }

  private void tellSubWorker(SubWorkerEvent event, Moment now) {
    machines.handle(event, now);
  }

  /** The number of slots that ranks can use at once. */
  private int offerable() {
    return draining ? 0 : load().slotsToOffer() + host.freeSlots();
  }

  /** The number of offers of ranks that can be received. */
  private int receivable() {
    return draining || unreachable.pauses() ? 0 : load().receivable() + host.freeSlots();
  }

  /** The address for other workers. */
  public Address address() {
    return endpoint.address();
  }

  /**
   * The number of refused calls of others: with a wrong secret, or with content that no worker
   * sends.
   */
  public long refused() {
    return secrets.refused() + endpoint.rejected();
  }

  /** Its work for HPC jobs after the last event. */
  public GangLoad load() {
    return machines.load();
  }

  /** The number of ranks that run here now. */
  public int busy() {
    return runs.busy();
  }

  /**
   * Whether the calling thread runs a rank that was to end, and whose job may already run
   * elsewhere.
   */
  public boolean runsEnded() {
    return runs.runsEnded();
  }

  /** Handles a possible change of the worker's number of free slots. */
  public void slotsChanged() {
    rankSource.look();
  }

  /** Accepts no more work and lets running work end. Returns at once. */
  public void drain() {
    if (!draining) {
      draining = true;
      rankSource.stop();
      host.stopReceiving();
      // In this order: the manager may have nothing to wait for, and ends the loop.
      inbox.tell(new SubWorkerEvent.Drain());
      inbox.tell(new GangEvent.Drain());
    }
  }

  /** Ends all running work. Returns at once. */
  public void kill() {
    drain();
    inbox.tell(new GangEvent.Kill());
    inbox.tell(new SubWorkerEvent.Kill());
  }

  /** Whether nothing is in hand and nothing more will come. */
  public boolean drained() {
    return machines.drained();
  }

  /**
   * Whether it takes no more jobs because the machine has lost the address at which other workers
   * call it.
   */
  public boolean addressLost() {
    return addressLost;
  }

  /** Whether the loop ended because of an internal error. */
  public boolean failed() {
    return machines.failed();
  }

  /** Takes no more jobs once no other worker can call this one; tasks go on. */
  private void lookForAddress(Moment now) {
    if (addressWatch.loses(now) && !draining) {
      addressLost = true;
      LOG.warn(
          "this machine no longer has the address {}, at which other workers call this one: it"
              + " takes no more HPC jobs; restart it to use another address",
          addressWatch.address());
      drain();
    }
  }

  /** Ends at once and kills running work. */
  @Override
  public void close() throws InterruptedException {
    draining = true;
    host.stopReceiving();
    ClosingOrder.closeAll(
        machines::close,
        rankSource::close,
        () -> jobs.values().forEach(job -> job.abandon("its worker has ended")),
        runs::close,
        launches::close,
        endpoint::close,
        stubs::close,
        offerSender::close,
        offersTaken::close,
        host::close);
  }
}
