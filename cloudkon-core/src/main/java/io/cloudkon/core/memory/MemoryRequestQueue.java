package io.cloudkon.core.memory;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.List;

/** The request queue in memory. */
final class MemoryRequestQueue implements RequestQueue {
  private final MessageBuffer buffer;

  MemoryRequestQueue(MessageBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public String name() {
    return buffer.name();
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    return buffer.send(batch);
  }

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return buffer.receive(max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(List<String> handles) {
    return buffer.delete(handles);
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    buffer.changeVisibility(handle, visibility);
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    return buffer.changeVisibilities(batch);
  }

  @Override
  public boolean endsReceivesAtOnce() {
    return true;
  }

  @Override
  public QueueDepth depth() {
    return buffer.depth();
  }
}
