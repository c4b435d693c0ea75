package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.simulator.engine.SimProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated queues, claims and runs behind the production's ports, so that the ports' contract
 * suites run against them unchanged. The suites turn the time; in between, calls take none. What
 * the simulator has no port for is in memory.
 */
final class SimCluster implements ClusterFixture {
  private static final String NAME = "here";

  private final Lab lab = new Lab();
  private final SplittableRandom random = new SplittableRandom(2);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, SimQueue<OutgoingMessage>> queues = new HashMap<>();
  private final SimClaims claims = lab.claims(ClaimLaw.RULES);
  private final SimRuns runs = new SimRuns(lab.network, lab.watch);
  private final Cluster memory = new MemoryCloud(new ManualTime()).setup(NAME);

  private final Cluster here = cluster(NAME, false);

  SimCluster() {
    create(NAME);
  }

  @Override
  public Cluster cluster() {
    return here;
  }

  @Override
  public Cluster missing() {
    return cluster("nowhere", true);
  }

  private Cluster cluster(String name, boolean missing) {
    PortedQueue requests = new PortedQueue(this, name);
    return new Cluster(
        name,
        requests,
        requests,
        new PortedResponses(this, name),
        new PortedClaims(this, missing ? name : null, claims),
        memory.workers(),
        new PortedRuns(this, missing ? name : null, runs),
        memory.decisions(),
        memory.blobs(),
        memory.hpc());
  }

  @Override
  public void advance(Duration time) {
    lock.lock();
    try {
      lab.pass(time.toNanos() / 1000);
      settle();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long serviceMillis() {
    lock.lock();
    try {
      return ManualTime.BEGIN_MILLIS + lab.timeline.now() / 1000;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    List.copyOf(queues.keySet()).forEach(this::remove);
  }

  private void settle() {
    lab.settle();
    changed.signalAll();
  }

  // ---- for the ports

  void create(String queue) {
    lock.lock();
    try {
      queues.computeIfAbsent(
          queue,
          name ->
              new SimQueue<>(
                  name,
                  lab.network,
                  lab.settings,
                  QueueCalls.REQUESTS,
                  OutgoingMessage::countedBytes,
                  message -> {},
                  message -> {},
                  random.split()));
    } finally {
      lock.unlock();
    }
  }

  void remove(String queue) {
    lock.lock();
    try {
      SimQueue<OutgoingMessage> removed = queues.remove(queue);
      if (removed != null) {
        removed.remove();
        settle();
      }
    } finally {
      lock.unlock();
    }
  }

  List<String> queues() {
    lock.lock();
    try {
      return List.copyOf(queues.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** The queue of that name. */
  SimQueue<OutgoingMessage> queue(String name) {
    lock.lock();
    try {
      SimQueue<OutgoingMessage> queue = queues.get(name);
      if (queue == null) {
        throw new MissingResourceException("queue", name, null);
      }
      return queue;
    } finally {
      lock.unlock();
    }
  }

  /** Makes a call that is answered at once. */
  <T> T call(BiConsumer<SimProcess, Reply<T>> call) {
    lock.lock();
    try {
      Lab.Awaited<T> answer = lab.new Awaited<>();
      call.accept(lab.caller, answer);
      settle();
      if (!answer.there()) {
        throw new AssertionError("not answered");
      }
      return answer.get();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a call that may wait; null if it failed. */
  <T> @Nullable T await(BiConsumer<SimProcess, Reply<T>> call) throws InterruptedException {
    lock.lockInterruptibly();
    SimProcess caller = lab.process("receiver");
    try {
      Lab.Awaited<T> answer = lab.new Awaited<>();
      call.accept(caller, answer);
      settle();
      while (!answer.there()) {
        changed.await();
      }
      return answer.failed() ? null : answer.get();
    } catch (InterruptedException e) {
      caller.die();
      throw e;
    } finally {
      lock.unlock();
    }
  }
}
