package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimOffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The services of one cluster: its queues, tables and bucket. */
public final class SimCloud {
  private final Network network;
  private final CloudSettings settings;
  private final SplittableRandom random;
  private final CloudWatch watch;
  private final SimQueue<Request> requests;
  private final SimQueue<Request> dead;
  private final Map<String, SimQueue<ResultMessage>> responses = new LinkedHashMap<>();

  /** The times until which response queues are hidden, in microseconds. */
  private final Map<String, Long> hiddenUntil = new HashMap<>();

  /** The time until which creating a response queue fails, in microseconds. */
  private long createsFailUntil;

  private boolean failedCreatesMake;
  private final SimClaims claims;
  private final SimRuns runs;
  private final SimBlobs blobs;
  private @Nullable SimHpc hpc;
  private @Nullable SimScaling scaling;
  private final Roster fleet = new Roster();
  private @Nullable SimEntries entries;

  /**
   * An empty cluster.
   *
   * @param law the rules of claims
   * @param watch receives the events
   */
  public SimCloud(
      Timeline timeline,
      SplittableRandom random,
      CloudSettings settings,
      ClaimLaw law,
      CloudWatch watch) {
    this.settings = settings;
    this.random = random;
    this.watch = watch;
    this.network =
        new Network(
            timeline,
            random.split(),
            settings.latencies(),
            new Faults(settings.faults(), timeline, random.split()),
            new CallCounts());
    this.requests = requestQueue("Q", request -> {});
    this.dead = requestQueue("Q-dead", watch::lettered);
    this.claims = new SimClaims(network, settings, law, watch);
    this.runs = new SimRuns(network, watch);
    this.blobs = new SimBlobs(network, watch);
  }

  private SimQueue<Request> requestQueue(String name, Consumer<Request> accepted) {
    return new SimQueue<>(
        name,
        network,
        settings,
        QueueCalls.REQUESTS,
        Request::bytes,
        accepted,
        request -> {},
        random.split());
  }

  /** The actions that policies deny. */
  public DeniedActions refusals() {
    return network.refusals();
  }

  /** Tests with a call that changes nothing whether this is allowed; answers null if unknown. */
  public void probe(SimProcess caller, Permission permission, Reply<Boolean> allowed) {
    network.call(
        caller,
        permission.call(),
        permission.queue(),
        1,
        () -> "tries " + permission,
        () -> true,
        Reply.orRefused(allowed, () -> allowed.of(false)));
  }

  public SimQueue<Request> requests() {
    return requests;
  }

  public SimQueue<Request> dead() {
    return dead;
  }

  /** For this time makes calls that create a response queue fail, or lose only their answers. */
  public void disturbCreates(long micros, boolean made) {
    createsFailUntil = network.timeline().now() + micros;
    failedCreatesMake = made;
  }

  /**
   * Creates a response queue unless it exists. Returns false if the call is denied, or fails
   * transiently, although the queue may have been created.
   */
  public boolean tryCreateResponses(SimProcess caller, String name) {
    if (refusals().denied(Permission.CREATE_RESPONSE_QUEUES, caller.name())) {
      caller.says("is denied " + Permission.CREATE_RESPONSE_QUEUES);
      return false;
    }
    boolean fails = network.timeline().now() < createsFailUntil;
    if ((!fails || failedCreatesMake) && !responses.containsKey(name)) {
      var unused = createResponses(name);
    }
    return !fails;
  }

  /** Creates a response queue. */
  public SimQueue<ResultMessage> createResponses(String name) {
    SimQueue<ResultMessage> queue =
        new SimQueue<>(
            name,
            network,
            settings,
            QueueCalls.RESPONSES,
            ResultMessage::bytes,
            results -> watch.replied(results, network.timeline().now()),
            watch::gone,
            random.split());
    responses.put(name, queue);
    return queue;
  }

  /** A response queue; null if it does not exist or is currently hidden. */
  public @Nullable SimQueue<ResultMessage> responses(String name) {
    return network.timeline().now() < hiddenUntil.getOrDefault(name, 0L)
        ? null
        : responses.get(name);
  }

  /**
   * Makes the service claim for this time that the response queue does not exist; it keeps its
   * messages.
   */
  public void hideResponses(String name, long micros) {
    hiddenUntil.put(name, network.timeline().now() + micros);
  }

  /** All response queues. */
  public Collection<SimQueue<ResultMessage>> responses() {
    return responses.values();
  }

  /** Removes a response queue. */
  public void removeResponses(String name) {
    SimQueue<ResultMessage> queue = responses.remove(name);
    if (queue != null) {
      queue.remove();
    }
  }

  public SimClaims claims() {
    return claims;
  }

  public SimRuns runs() {
    return runs;
  }

  public SimBlobs blobs() {
    return blobs;
  }

  /**
   * The services that HPC jobs need. They are created at the first request, so that nothing is
   * drawn without HPC jobs.
   *
   * @param law the rules of the ledger; only those of the first request count
   * @param ranksAmongJobs whether ranks share the order of the jobs' queue
   */
  public SimHpc hpc(LedgerLaw law, boolean ranksAmongJobs) {
    SimHpc made = hpc;
    if (made == null) {
      made =
          new SimHpc(
              requestQueue("Q-hpc", request -> {}),
              new SimQueue<>(
                  "Q-ranks",
                  network,
                  settings,
                  QueueCalls.REQUESTS,
                  offer -> SimOffer.BYTES,
                  offer -> {},
                  offer -> {},
                  random.split()),
              new SimLedger(network, law, watch),
              new SimWire(network),
              new Meetings(),
              new Roster());
      if (ranksAmongJobs) {
        made.ranks().standInLineOf(made.jobs());
      }
      hpc = made;
    }
    return made;
  }

  /** The workers that run tasks. */
  public Roster fleet() {
    return fleet;
  }

  /** Reads the numbers of slots of live workers, by name. */
  public void listFleet(SimProcess caller, Reply<Map<String, Integer>> reply) {
    int units = Math.max(1, fleet.slots().size() / 16);
    network.call(caller, Call.WORKER_LIST, units, () -> "lists workers", fleet::slots, reply);
  }

  /** The services for HPC jobs; null if there are none. */
  public @Nullable SimHpc hpcIfAny() {
    return hpc;
  }

  /**
   * The table of worker entries. It is created at the first request, so that workers write no
   * entries that nobody reads.
   */
  public SimEntries entries() {
    SimEntries made = entries;
    if (made == null) {
      made = new SimEntries(network);
      entries = made;
    }
    return made;
  }

  /** The table of worker entries; null if nobody requested it. */
  public @Nullable SimEntries entriesIfAny() {
    return entries;
  }

  /**
   * Creates the services that a growing fleet needs, so that nothing is drawn for other fleets.
   * Call this once.
   *
   * @param staleMicros the maximum age of a reported queue depth, in microseconds
   * @param jobs the services for HPC jobs; null if there are none
   */
  public SimScaling scaling(
      BootSettings boots, long staleMicros, @Nullable SimHpc jobs, int affordable) {
    SimScaling made =
        new SimScaling(
            new SimDecisions(network),
            entries(),
            new SimDepth(network, requests, staleMicros, random.split()),
            jobs == null ? null : new SimDepth(network, jobs.jobs(), staleMicros, random.split()),
            new SimInstances(network, boots, random.split()),
            new WorkersByHand(affordable));
    scaling = made;
    return made;
  }

  /** The result of {@link #scaling}; null if the fleet does not grow. */
  public @Nullable SimScaling scalingIfAny() {
    return scaling;
  }

  /** The counts of all calls so far. */
  public CallCounts calls() {
    return network.counts();
  }
}
