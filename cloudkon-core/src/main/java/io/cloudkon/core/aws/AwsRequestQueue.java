package io.cloudkon.core.aws;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.List;

/**
 * One SQS queue, by its name. Waits and visibilities are rounded up to whole seconds, the unit of
 * SQS.
 */
final class AwsRequestQueue implements RequestQueue {
  private final SqsQueues queues;
  private final String name;

  AwsRequestQueue(SqsQueues queues, String name) {
    this.queues = queues;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    return queues.send(name, batch);
  }

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queues.receive(name, max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(List<String> handles) {
    return queues.delete(name, handles);
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    queues.changeVisibility(name, handle, visibility);
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    return queues.changeVisibilities(name, batch);
  }

  @Override
  public QueueDepth depth() {
    return queues.depth(name);
  }
}
