package io.cloudkon.worker.metrics;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.core.time.TimeSource;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The request queue, with a timer for the time that messages had waited in it when their receive
 * began. Both ends are by the service's clock.
 */
record MeteredRequests(RequestQueue queue, TimeSource time, Timer waited) implements RequestQueue {

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    long begun = time.serviceMillis();
    List<ReceivedMessage> messages = queue.receive(max, wait, visibility);
    for (ReceivedMessage message : messages) {
      waited.record(Math.max(0, begun - message.sentMillis()), TimeUnit.MILLISECONDS);
    }
    return messages;
  }

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    return queue.send(batch);
  }

  @Override
  public List<BatchFailure> delete(List<String> handles) {
    return queue.delete(handles);
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    queue.changeVisibility(handle, visibility);
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    return queue.changeVisibilities(batch);
  }

  @Override
  public boolean endsReceivesAtOnce() {
    return queue.endsReceivesAtOnce();
  }

  @Override
  public QueueDepth depth() {
    return queue.depth();
  }
}
