package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
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
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.RmiSettings;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.hpc.rmi.Welcome;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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

  /** Begins the handle of an offer that its own worker takes, without a message. */
  private static final String HERE = "here:";

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
  private final RankSource rankSource;
  private final Acknowledger offersTaken;
  private final RankRuns runs;
  private final GangDoor door;
  private final Secrets secrets = new Secrets();
  private final Stubs stubs = new Stubs(RmiSettings.defaults().withTimeouts(500, 1_500));
  private final Endpoint endpoint;
  private final Map<String, ManagedGang> managed = new ConcurrentHashMap<>();
  private final Map<String, Served> served = new ConcurrentHashMap<>();

  /** Jobs whose results are known, and on their way; the loop's. */
  private final Set<Long> settled = new HashSet<>();

  private final Map<String, RankOffer> offers = new ConcurrentHashMap<>();
  private final MpiLaunches launches;
  private final Pulse pulse;
  private final Thread loop;
  private volatile int slotsInHand;
  private volatile int ranksHere;
  private volatile int jobsHere;
  private volatile int gangsHere;
  private volatile boolean drained;
  private volatile boolean draining;
  private volatile boolean closing;
  private volatile boolean failed;

  /** A gang of which this worker has ranks, or was offered some. */
  private record Served(String secret, ManagerPort manager) {}

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
    ledger = new LedgerCaller(cluster.hpc().ledger(), settings.worker(), inbox, later, backOff, io);
    offerSender = new OfferSender(cluster.hpc().ranks(), inbox, later, backOff);
    offersTaken = new Acknowledger(cluster.hpc().ranks(), later, backOff);
    runs = new RankRuns(host.runner(), host.inputs(), stubs, time, inbox);
    String address = config.rmiAddress() == null ? Addresses.own() : config.rmiAddress();
    launches = new MpiLaunches(host, address, inbox);
    door = new GangDoor(inbox, managed, runs, launches);
    endpoint = Endpoint.open(address, config.rmiPort(), door, door, secrets);
    rankSource =
        new RankSource(
            cluster.hpc().ranks(),
            () -> draining ? 0 : slotsInHand + host.freeSlots(),
            inbox,
            this::offered,
            backOff);
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
    boolean more = slotsInHand != subWorker.slotsInHand();
    slotsInHand = subWorker.slotsInHand();
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
      case GangEffect.Open open -> {
        String secret = Secrets.fresh();
        secrets.admit(open.gang(), secret);
        managed.put(open.gang(), new ManagedGang(open.gang(), secret));
      }
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
      case GangEffect.KillRanks kill -> {
        launches.kill(kill.gang());
        KillRanks order = new KillRanks(kill.job(), kill.attempt());
        toEach(kill.gang(), kill.workers(), port -> port.kill(kill.gang(), order));
      }
      case GangEffect.Dissolve dissolve -> {
        launches.kill(dissolve.gang());
        toEach(dissolve.gang(), dissolve.workers(), port -> port.dissolve(dissolve.gang()));
        managed.remove(dissolve.gang());
        forgetSecret(dissolve.gang());
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
    int own = draining ? 0 : slotsInHand + host.freeSlots();
    List<SubWorkerEvent.Offer> here = new ArrayList<>();
    for (int rank : offer.ranks()) {
      RankOffer one =
          new RankOffer(
              gang.id,
              job.header().bundle(),
              offer.attempt(),
              rank,
              offer.size(),
              address().toString(),
              gang.secret,
              offer.deadline());
      if (here.size() < own) {
        String handle = HERE + UUID.randomUUID();
        offered(handle, one);
        here.add(new SubWorkerEvent.Offer(handle, one.gang(), one.job(), rank, offer.deadline()));
      } else {
        offerSender.send(one);
      }
    }
    if (!here.isEmpty()) {
      inbox.tell(new SubWorkerEvent.Offered(here));
    }
  }

  private void start(GangEffect.Start start) {
    ManagedGang gang = managed.get(start.gang());
    BundleInHand job = jobs.get(start.job());
    if (gang == null || job == null) {
      return;
    }
    gang.begins(job.header().bundle(), start.attempt(), start.ranks());
    boolean mpi = job.task(0).work() instanceof Work.Hpc hpc && hpc.mpi();
    if (mpi) {
      launches.launch(gang.id, job, start.size(), lines -> order(start, gang, job, lines));
    } else {
      order(start, gang, job, List.of());
    }
  }

  /** Tells every sub-worker at the same time. */
  private void order(
      GangEffect.Start start, ManagedGang gang, BundleInHand job, List<String> lines) {
    byte[] payload = BundleCodec.encode(job.bundle());
    Address[] peers = new Address[start.size()];
    for (int rank = 0; rank < peers.length; rank++) {
      Address peer = gang.addressOf(rank);
      if (peer == null) {
        throw new IllegalStateException("rank %d has no worker".formatted(rank));
      }
      peers[rank] = peer;
    }
    start
        .ranks()
        .forEach((worker, ranks) -> {
          String[] launch =
              lines.isEmpty()
                  ? new String[0]
                  : ranks.stream().map(lines::get).toArray(String[]::new);
          StartRanks order =
              new StartRanks(
                  job.header().bundle(),
                  start.attempt(),
                  start.size(),
                  ranks.stream().mapToInt(Integer::intValue).toArray(),
                  payload,
                  peers,
                  launch,
                  start.leaseMillis());
          io.execute(() -> order(gang, worker, order));
        });
  }

  private void order(ManagedGang gang, String worker, StartRanks order) {
    boolean starts = false;
    try {
      SubWorkerPort port = port(gang, worker);
      starts = port != null && twice(() -> port.start(gang.id, order)).known();
    } catch (HpcCallException e) {
      LOG.info("ranks of job {} do not start: {}", order.job(), e.getMessage());
    }
    if (!starts) {
      inbox.tell(new GangEvent.StartFailed(gang.id, worker));
    }
  }

  private void toEach(String id, List<String> workers, Consumer<SubWorkerPort> call) {
    ManagedGang gang = managed.get(id);
    if (gang == null) {
      return;
    }
    for (String worker : workers) {
      io.execute(() -> {
        try {
          SubWorkerPort port = port(gang, worker);
          if (port != null) {
            call.accept(port);
          }
        } catch (HpcCallException e) {
          // It will find out by its manager's silence, or is dead.
          LOG.debug("could not tell worker {}: {}", worker, e.getMessage());
        }
      });
    }
  }

  private @Nullable SubWorkerPort port(ManagedGang gang, String worker) {
    if (worker.equals(settings.worker())) {
      return door;
    }
    Address address = gang.address(worker);
    return address == null ? null : stubs.subWorker(address, gang.secret);
  }

  /**
   * Takes what the ranks said at once: the gang may serve the next job, or be gone, before long.
   */
  private void settle(GangEffect.Settle settle) {
    BundleInHand job = jobs.get(settle.job());
    if (job == null) {
      return;
    }
    String id = job.header().bundle();
    ManagedGang gang = managed.values().stream().filter(g -> g.runs(id)).findFirst().orElse(null);
    if (gang == null) {
      io.execute(() -> settle(settle, job, Map.of(), rank -> "", null));
      return;
    }
    Map<Integer, RankEnd> ends = gang.ends();
    Map<Integer, String> workers = gang.workers();
    io.execute(() ->
        settle(
            settle, job, ends, rank -> workers.getOrDefault(rank, ""), launches.end(gang.id, id)));
  }

  private void settle(
      GangEffect.Settle settle,
      BundleInHand job,
      Map<Integer, RankEnd> ends,
      IntFunction<String> workerOf,
      JobResults.@Nullable Launched launched) {
    Task task = job.task(0);
    int tries = job.nextTry(0);
    TaskResult result =
        JobResults.of(
            task,
            settle.verdict(),
            ends,
            launched,
            workerOf,
            job.header().captureBytes(),
            tries,
            time.wallMicros());
    job.result(0, result);
    boolean ok = result.status() == TaskStatus.SUCCEEDED;
    if (!ok && tries <= task.retries()) {
      job.tryFailed(0);
    } else {
      host.stats().finished(1);
    }
    Positions whole = Positions.range(0, 1);
    inbox.post(
        settle.job(),
        new BundleEvent.Finished(whole, ResultCodec.sizeOf(result), ok ? Positions.none() : whole));
  }

  // ---- the sub-worker's effects

  /** Called before its machine is told. */
  private void offered(String handle, RankOffer offer) {
    offers.put(handle, offer);
    served.computeIfAbsent(
        offer.gang(),
        gang -> {
          secrets.admit(gang, offer.secret());
          ManagerPort port =
              offer.manager().equals(address().toString())
                  ? door
                  : stubs.manager(Address.parse(offer.manager()), offer.secret());
          return new Served(offer.secret(), port);
        });
  }

  private void carryOut(SubWorkerEffect effect) {
    switch (effect) {
      case SubWorkerEffect.WantSlots want -> host.keepSlots(want.question(), want.slots());
      case SubWorkerEffect.Register register -> io.execute(() -> register(register));
      case SubWorkerEffect.DeleteOffers delete ->
          delete
              .handles()
              .forEach(handle -> {
                if (!handle.startsWith(HERE)) {
                  offersTaken.delete(handle, () -> {});
                }
                offerGone(handle);
              });
      case SubWorkerEffect.PutBackOffers back ->
          back.handles()
              .forEach(handle -> {
                RankOffer offer = offers.get(handle);
                if (!handle.startsWith(HERE)) {
                  io.execute(() -> offersTaken.visibility(handle, 0));
                } else if (offer != null) {
                  // The slots went to something else meanwhile: whoever has some takes it.
                  offerSender.send(offer);
                }
                offerGone(handle);
              });
      case SubWorkerEffect.Beat beat -> io.execute(() -> beat(beat));
      case SubWorkerEffect.StartAnswer answer -> startAnswer(answer);
      case SubWorkerEffect.KillRanks kill -> runs.kill(kill.gang(), kill.job(), kill.attempt());
      case SubWorkerEffect.Forget forget -> {
        runs.forget(forget.gang());
        served.remove(forget.gang());
        forgetSecret(forget.gang());
      }
      case SubWorkerEffect.Keep keep -> ledger.keep(keep);
    }
  }

  private void offerGone(String handle) {
    RankOffer offer = offers.remove(handle);
    if (offer == null || subWorker.has(offer.gang())) {
      return;
    }
    boolean another = offers.values().stream().anyMatch(other -> other.gang().equals(offer.gang()));
    if (!another) {
      served.remove(offer.gang());
      forgetSecret(offer.gang());
    }
  }

  private void forgetSecret(String gang) {
    if (!managed.containsKey(gang) && !served.containsKey(gang)) {
      secrets.forget(gang);
    }
  }

  private void register(SubWorkerEffect.Register register) {
    Served gang = served.get(register.gang());
    Moment begun = time.now();
    if (gang != null) {
      try {
        Registration registration =
            new Registration(
                settings.worker(),
                address(),
                register.ranks().stream().mapToInt(Integer::intValue).toArray());
        Welcome welcome = twice(() -> gang.manager().register(register.gang(), registration));
        inbox.tell(
            new SubWorkerEvent.Welcomed(
                register.gang(),
                register.ranks(),
                Arrays.stream(welcome.accepted()).boxed().toList(),
                welcome.leaseMillis(),
                begun));
        return;
      } catch (HpcCallException e) {
        LOG.info("ranks {} are not taken: {}", register.ranks(), e.getMessage());
      }
    }
    inbox.tell(new SubWorkerEvent.RegisterFailed(register.gang(), register.ranks()));
  }

  private void beat(SubWorkerEffect.Beat beat) {
    Served gang = served.get(beat.gang());
    Moment begun = time.now();
    List<RankEnd> ends = runs.ends(beat.ended());
    try {
      Standing standing =
          gang == null
              ? Standing.GONE
              : gang.manager()
                  .report(beat.gang(), new Report(settings.worker(), ends.toArray(new RankEnd[0])));
      inbox.tell(
          new SubWorkerEvent.Answered(
              beat.gang(), standing.known(), standing.leaseMillis(), beat.ended().size(), begun));
      runs.told(beat.ended());
    } catch (HpcCallException e) {
      LOG.debug("no answer to a beat: {}", e.getMessage());
      if (e.kind() == HpcCallException.Kind.REFUSED) {
        // Its manager knows nothing of the gang any more.
        inbox.tell(new SubWorkerEvent.Answered(beat.gang(), false, 0, 0, begun));
      } else {
        inbox.tell(new SubWorkerEvent.BeatFailed(beat.gang()));
      }
    }
  }

  /**
   * Whoever asked may have gone meanwhile, and takes it for refused: then its manager's next answer
   * ends them.
   */
  private void startAnswer(SubWorkerEffect.StartAnswer answer) {
    StartRanks order = door.order(answer.call());
    Served gang = served.get(answer.gang());
    if (answer.starts() && order != null && gang != null) {
      runs.start(answer.gang(), gang.secret(), order);
    }
    door.starts(answer.call(), answer.starts());
  }

  /** An answer may be lost: what may be asked again is, once. */
  private static <T> T twice(Supplier<T> call) {
    try {
      return call.get();
    } catch (HpcCallException e) {
      return switch (e.kind()) {
        case UNREACHABLE, TIMED_OUT -> call.get();
        case REFUSED, INTERRUPTED -> throw e;
      };
    }
  }

  /** Ends at once; what runs is killed. */
  @Override
  public void close() throws InterruptedException {
    draining = true;
    closing = true;
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
