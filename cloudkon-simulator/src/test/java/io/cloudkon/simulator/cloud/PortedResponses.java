package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The simulated response queues of a cluster behind the port. */
final class PortedResponses implements ResponseQueue {
  private final SimCluster cluster;
  private final String name;
  private final Map<String, PortedQueue> ported = new ConcurrentHashMap<>();

  PortedResponses(SimCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  private PortedQueue queue(String queue) {
    if (!Names.isResponse(name, queue)) {
      throw MissingResourceException.foreign(queue, name);
    }
    return ported.computeIfAbsent(queue, q -> new PortedQueue(cluster, q));
  }

  @Override
  public void create(String queue) {
    cluster.create(queue);
  }

  @Override
  public void remove(String queue) {
    if (Names.isResponse(name, queue)) {
      cluster.remove(queue);
    }
  }

  @Override
  public List<String> list() {
    return cluster.queues().stream().filter(queue -> Names.isResponse(name, queue)).toList();
  }

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    return queue(queue).send(batch);
  }

  @Override
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queue(queue).receive(max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    return queue(queue).delete(handles);
  }
}
