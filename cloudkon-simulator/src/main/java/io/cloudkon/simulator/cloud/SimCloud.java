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
import org.jspecify.annotations.Nullable;

/** Everything of one cluster at the services: its queues, tables and bucket. */
public final class SimCloud {
  private final Network network;
  private final CloudSettings settings;
  private final SplittableRandom random;
  private final CloudWatch watch;
  private final SimQueue<Request> requests;
  private final SimQueue<Request> dead;
  private final Map<String, SimQueue<ResultMessage>> responses = new LinkedHashMap<>();

  /** In microseconds. */
  private final Map<String, Long> hiddenUntil = new HashMap<>();

  /** In microseconds. */
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
   * @param law of the claims
   * @param watch is told of what takes place
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
    this.requests = requestQueue("Q");
    this.dead = requestQueue("Q-dead");
    this.claims = new SimClaims(network, settings, law, watch);
    this.runs = new SimRuns(network);
    this.blobs = new SimBlobs(network, watch);
  }

  private SimQueue<Request> requestQueue(String name) {
    return new SimQueue<>(
        name,
        network,
        settings,
        QueueCalls.REQUESTS,
        Request::bytes,
        request -> {},
        request -> {},
        random.split());
  }

  /** What policies deny. */
  public DeniedActions refusals() {
    return network.refusals();
  }

  /** Sees, by a call that changes nothing, whether this is allowed; null if nobody can say. */
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

  /** For so long, calls that are to make a response queue fail, or lose their answer. */
  public void disturbCreates(long micros, boolean made) {
    createsFailUntil = network.timeline().now() + micros;
    failedCreatesMake = made;
  }

  /**
   * Makes a response queue, if there is none; false if the call fails in passing, though the queue
   * may have been made.
   */
  public boolean tryCreateResponses(String name) {
    boolean fails = network.timeline().now() < createsFailUntil;
    if ((!fails || failedCreatesMake) && !responses.containsKey(name)) {
      var unused = createResponses(name);
    }
    return !fails;
  }

  /** Makes a response queue. */
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

  /** A response queue; null if there is none of that name, or the service says so for a while. */
  public @Nullable SimQueue<ResultMessage> responses(String name) {
    return network.timeline().now() < hiddenUntil.getOrDefault(name, 0L)
        ? null
        : responses.get(name);
  }

  /** The service says for so long that this response queue does not exist; it keeps what it has. */
  public void hideResponses(String name, long micros) {
    hiddenUntil.put(name, network.timeline().now() + micros);
  }

  /** The response queues there are. */
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
   * What HPC jobs need; made when it is asked for first, so that nothing is drawn where there are
   * none.
   *
   * @param law of the ledger; that of the first time holds
   * @param ranksAmongJobs whether ranks stand in one line with the jobs
   */
  public SimHpc hpc(LedgerLaw law, boolean ranksAmongJobs) {
    SimHpc made = hpc;
    if (made == null) {
      made =
          new SimHpc(
              requestQueue("Q-hpc"),
              new SimQueue<>(
                  "Q-ranks",
                  network,
                  settings,
                  QueueCalls.REQUESTS,
                  offer -> SimOffer.BYTES,
                  offer -> {},
                  offer -> {},
                  random.split()),
              new SimLedger(network, law),
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

  /** Reads how many slots live workers have, by their names. */
  public void listFleet(SimProcess caller, Reply<Map<String, Integer>> reply) {
    int units = Math.max(1, fleet.slots().size() / 16);
    network.call(caller, Call.WORKER_LIST, units, () -> "lists workers", fleet::slots, reply);
  }

  /** Whether there are HPC jobs. */
  public @Nullable SimHpc hpcIfAny() {
    return hpc;
  }

  /**
   * Where workers say how they are; made when it is asked for first, so that nobody writes there
   * where nobody reads.
   */
  public SimEntries entries() {
    SimEntries made = entries;
    if (made == null) {
      made = new SimEntries(network);
      entries = made;
    }
    return made;
  }

  /** The same; null if nobody asked for it. */
  public @Nullable SimEntries entriesIfAny() {
    return entries;
  }

  /**
   * Makes what a fleet needs that grows with its queue; nothing is drawn where there is none. Once.
   *
   * @param staleMicros how old a queue's depth may be, in microseconds
   * @param jobs what HPC jobs need; null if there are none
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

  /** What {@link #scaling} made; null where the fleet does not grow. */
  public @Nullable SimScaling scalingIfAny() {
    return scaling;
  }

  /** Every call so far. */
  public CallCounts calls() {
    return network.counts();
  }
}
