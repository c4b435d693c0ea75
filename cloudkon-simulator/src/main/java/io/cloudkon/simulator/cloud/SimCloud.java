package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.Results;
import java.util.Collection;
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
  private final Map<String, SimQueue<Results>> responses = new LinkedHashMap<>();
  private final SimClaims claims;
  private final SimRuns runs;
  private final SimBlobs blobs;

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
        SimQueue.QueueCalls.REQUESTS,
        Request::bytes,
        request -> {},
        request -> {},
        random.split());
  }

  public SimQueue<Request> requests() {
    return requests;
  }

  public SimQueue<Request> dead() {
    return dead;
  }

  /** Makes a response queue. */
  public SimQueue<Results> createResponses(String name) {
    SimQueue<Results> queue =
        new SimQueue<>(
            name,
            network,
            settings,
            SimQueue.QueueCalls.RESPONSES,
            Results::bytes,
            watch::replied,
            watch::gone,
            random.split());
    responses.put(name, queue);
    return queue;
  }

  /** A response queue; null if there is none of that name. */
  public @Nullable SimQueue<Results> responses(String name) {
    return responses.get(name);
  }

  /** The response queues there are. */
  public Collection<SimQueue<Results>> responses() {
    return responses.values();
  }

  /** Removes a response queue. */
  public void removeResponses(String name) {
    SimQueue<Results> queue = responses.remove(name);
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

  /** Every call so far. */
  public CallCounts calls() {
    return network.counts();
  }
}
