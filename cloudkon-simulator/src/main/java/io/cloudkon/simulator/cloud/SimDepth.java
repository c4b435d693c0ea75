package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The approximate numbers of messages that SQS reports for a queue; they may be outdated. */
public final class SimDepth {
  private final Network network;
  private final SimQueue<?> queue;
  private final long staleMicros;
  private final SplittableRandom random;
  private @Nullable QueueDepth counted;
  private long until;

  /**
   * The depth of a queue.
   *
   * @param staleMicros its maximum age, in microseconds; 0 for always current
   */
  SimDepth(Network network, SimQueue<?> queue, long staleMicros, SplittableRandom random) {
    this.network = network;
    this.queue = queue;
    this.staleMicros = staleMicros;
    this.random = random;
  }

  /** Reads the depth. */
  public void read(SimProcess caller, Reply<QueueDepth> reply) {
    network.call(
        caller,
        Call.DEPTH_READ,
        1,
        () -> "reads the depth of " + queue.name(),
        this::counted,
        reply);
  }

  private QueueDepth counted() {
    long now = network.timeline().now();
    QueueDepth last = counted;
    if (last != null && now < until) {
      return last;
    }
    QueueDepth fresh = new QueueDepth(queue.waiting(), queue.inFlight(), 0);
    counted = fresh;
    until = now + (staleMicros == 0 ? 0 : random.nextLong(staleMicros));
    return fresh;
  }
}
