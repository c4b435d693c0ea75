package io.cloudkon.core.memory;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** The response queues of one cluster in memory. */
final class MemoryResponseQueue implements ResponseQueue {
  private final String cluster;
  private final ConcurrentMap<String, MessageBuffer> queues = new ConcurrentHashMap<>();
  private final Function<String, MessageBuffer> maker;

  /**
   * No queues yet.
   *
   * @param maker makes the buffer of a queue from its name
   */
  MemoryResponseQueue(String cluster, Function<String, MessageBuffer> maker) {
    this.cluster = cluster;
    this.maker = maker;
  }

  @Override
  public void create(String queue) {
    queues.computeIfAbsent(
        queue,
        name -> {
          MessageBuffer made = maker.apply(name);
          made.create();
          return made;
        });
  }

  @Override
  public void remove(String queue) {
    MessageBuffer removed = queues.remove(queue);
    if (removed != null) {
      removed.remove();
    }
  }

  @Override
  public List<String> list() {
    return queues.keySet().stream().sorted().toList();
  }

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    return existing(queue).send(batch);
  }

  @Override
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return existing(queue).receive(max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    return existing(queue).delete(handles);
  }

  void removeAll() {
    list().forEach(this::remove);
  }

  void wake() {
    queues.values().forEach(MessageBuffer::wake);
  }

  private MessageBuffer existing(String queue) {
    MessageBuffer buffer = queues.get(queue);
    if (!Names.isResponse(cluster, queue)) {
      throw MissingResourceException.foreign(queue, cluster);
    }
    if (buffer == null) {
      throw new MissingResourceException("queue", queue, null);
    }
    return buffer;
  }
}
