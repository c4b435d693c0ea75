package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A simulated queue behind the port. A handle's text names a delivery that is kept here. */
final class PortedQueue implements RequestQueue {
  private final SimCluster cluster;
  private final String name;
  private final Map<String, Delivery<OutgoingMessage>> handles = new ConcurrentHashMap<>();

  PortedQueue(SimCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  private SimQueue<OutgoingMessage> queue() {
    return cluster.queue(name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    return failures(cluster.call((caller, reply) -> queue().send(caller, batch, reply)));
  }

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    List<Delivery<OutgoingMessage>> got =
        cluster.await((caller, reply) ->
            queue().receive(caller, max, micros(wait), micros(visibility), reply));
    if (got == null) {
      throw new MissingResourceException("queue", name, null);
    }
    return got.stream().map(this::received).toList();
  }

  private ReceivedMessage received(Delivery<OutgoingMessage> delivery) {
    String handle = "handle " + handles.size();
    handles.put(handle, delivery);
    return new ReceivedMessage(
        handle,
        delivery.body().attributes(),
        delivery.body().payload(),
        ManualTime.BEGIN_MILLIS + delivery.sentAt() / 1000,
        delivery.receives());
  }

  @Override
  public List<BatchFailure> delete(List<String> texts) {
    List<Delivery<OutgoingMessage>> batch = texts.stream().map(this::delivery).toList();
    return failures(cluster.call((caller, reply) -> queue().delete(caller, batch, reply)));
  }

  private Delivery<OutgoingMessage> delivery(String handle) {
    Delivery<OutgoingMessage> delivery = handles.get(handle);
    if (delivery == null) {
      throw new AssertionError("no receive handle: " + handle);
    }
    return delivery;
  }

  private List<BatchFailure> failures(Sent sent) {
    if (sent.missing()) {
      throw new MissingResourceException("queue", name, null);
    }
    return sent.refused().stream()
        .mapToObj(i -> new BatchFailure(i, "refused in passing", true))
        .toList();
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    List<BatchFailure> unused =
        changeVisibilities(List.of(new VisibilityChange(handle, visibility)));
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> changes) {
    List<SimQueue.Hiding<OutgoingMessage>> batch =
        changes.stream()
            .map(each -> new SimQueue.Hiding<>(delivery(each.handle()), micros(each.visibility())))
            .toList();
    return failures(cluster.call((caller, reply) -> queue().hide(caller, batch, reply)));
  }

  @Override
  public QueueDepth depth() {
    return new QueueDepth(queue().waiting(), queue().inFlight(), 0);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
