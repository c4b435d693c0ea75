package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The path of one queue's bundles through a simulated worker, like the worker's {@code Pipeline}:
 * source, claims, replies, acknowledgement. There is one for tasks and one for HPC jobs.
 */
final class SimPipeline {
  private static final long LONG_POLL = 20_000_000;
  private static final long RUN_LOOK = 500_000;

  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final SimQueue<Request> queue;
  private final Loop loop;
  private final SimRunWatch runs;
  private final SimReplySender replies;
  private final SimClaimCaller claims;
  private final SimEffectRunner effects;
  private final Map<Long, SimBundle> inHand = new LinkedHashMap<>();
  private long keys;
  private long nextRunLook;

  /** The loop of the machine that it serves. */
  interface Loop {
    /** The attempt in which it owns this bundle's claim; 0 without a claim. */
    int attempt(long key);

    /** Handles an event of one bundle. */
    void tell(SimBundle hand, BundleEvent event);

    /** Handles an event that does not belong to a single bundle. */
    void tell(WorkerEvent event);

    /** Ends the running tasks of a bundle. */
    void kill(SimBundle hand);
  }

  /** Handles the outcome of a receive. */
  interface Received {
    /**
     * Called when the receive came back.
     *
     * @param got the messages; null if it failed
     * @param begunMicros when it began, on the timeline
     */
    void back(@Nullable List<Delivery<Request>> got, Moment begun, long begunMicros);
  }

  /** Creates the nonce of a receive. */
  interface Nonces {
    String of(long key, Request request);
  }

  SimPipeline(
      World world,
      SimProcess process,
      WorkerSetup setup,
      SimQueue<Request> queue,
      BackOff backOff,
      SimRunWatch runs,
      Loop loop) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    this.queue = queue;
    this.loop = loop;
    this.runs = runs;
    replies =
        new SimReplySender(world, process, runs, backOff, setup.replyTimeoutMillis(), loop::tell);
    claims = new SimClaimCaller(world, process, backOff, loop::tell, loop::tell);
    effects =
        new SimEffectRunner(
            world, queue, process, setup.slots(), backOff, claims, replies, loop::tell, loop::kill);
  }

  /** Whether it holds no bundle. */
  boolean isEmpty() {
    return inHand.isEmpty();
  }

  /** The held bundle with this key. */
  SimBundle hand(long key) {
    SimBundle hand = inHand.get(key);
    if (hand == null) {
      throw new Violation("%s wants something for closed bundle %d", process.name(), key);
    }
    return hand;
  }

  /**
   * Receives up to this many messages; calls back exactly once, even on failure.
   *
   * @param lifetime limits the wait of the receive; null for the longest that SQS allows
   */
  void receive(int max, @Nullable SimLifetime lifetime, Received received) {
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    queue.receive(
        process,
        max,
        lifetime == null ? LONG_POLL : lifetime.pollMicros(),
        setup.lease().lease() * 1000,
        got -> received.back(got, begun, begunMicros));
  }

  /** Adds received messages to the held bundles. */
  List<WorkerEvent.Arrival> arrived(List<Delivery<Request>> got, long begunMicros, Nonces nonces) {
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>(got.size());
    for (Delivery<Request> delivery : got) {
      Request request = delivery.body();
      long key = ++keys;
      String nonce = nonces.of(key, request);
      inHand.put(key, new SimBundle(key, delivery, nonce, begunMicros, world.timeline().now()));
      arrivals.add(new WorkerEvent.Arrival(key, request.bundle(), nonce, delivery.receives()));
    }
    return arrivals;
  }

  /** The requests of those arrivals that are still held. */
  Stream<Request> stillInHand(List<WorkerEvent.Arrival> arrivals) {
    return arrivals.stream()
        .map(arrival -> inHand.get(arrival.key()))
        .filter(hand -> hand != null)
        .map(hand -> hand.request);
  }

  /** Checks whether the runs of these requests are open. */
  void look(Stream<Request> of) {
    of.map(Request::run).distinct().toList().forEach(runs::look);
  }

  /** Checks the runs of all held bundles at intervals. */
  void lookAtRuns() {
    if (world.timeline().now() >= nextRunLook && world.twist().looksAtRuns()) {
      nextRunLook = world.timeline().now() + RUN_LOOK;
      look(inHand.values().stream().map(hand -> hand.request));
    }
  }

  /** Handles that a run is no longer open. */
  void runClosed(SimRun run) {
    for (SimBundle hand : List.copyOf(inHand.values())) {
      if (hand.request.run().index() == run.index()) {
        loop.tell(hand, new BundleEvent.RunClosed());
      }
    }
  }

  /** Carries out an effect of a bundle. */
  void carryOut(long key, BundleEffect effect) {
    SimBundle hand = hand(key);
    effects.carryOut(hand, effect, loop.attempt(key));
    if (effect instanceof BundleEffect.Close) {
      hand.closed = true;
      inHand.remove(key);
    }
  }

  /** Replaces a held bundle by the same message with another key and nonce. */
  void rearm(long key, long newKey, String nonce) {
    SimBundle before = hand(key);
    before.closed = true;
    inHand.remove(key);
    inHand.put(newKey, before.again(newKey, nonce));
  }

  /** Checks that the owner of this bundle's claim may do this. */
  void mayAct(String what, SimBundle hand) {
    effects.mayAct(what, hand, loop.attempt(hand.key));
  }

  /** Sets whether results are undeliverable. */
  void resultsGoNowhere(boolean from) {
    replies.goNowhere(from);
  }

  /** Whether all attempts that were lost while the worker lived have been taken back. */
  boolean attemptsSettled() {
    return claims.settled();
  }

  @Override
  public String toString() {
    return inHand.values().toString();
  }
}
