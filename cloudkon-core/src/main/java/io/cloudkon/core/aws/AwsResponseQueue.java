package io.cloudkon.core.aws;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.List;

/** One SQS queue per client. */
final class AwsResponseQueue implements ResponseQueue {
  private final SqsQueues queues;
  private final SqsAdmin admin;
  private final String cluster;

  AwsResponseQueue(SqsQueues queues, SqsAdmin admin, String cluster) {
    this.queues = queues;
    this.admin = admin;
    this.cluster = cluster;
  }

  @Override
  public void create(String queue) {
    queues.learn(queue, admin.create(queue));
  }

  @Override
  public void remove(String queue) {
    if (!Names.isResponse(cluster, queue)) {
      return;
    }
    try {
      admin.delete(queue, queues.url(queue));
    } catch (MissingResourceException e) {
      // this is the requested state
    } finally {
      queues.forget(queue);
    }
  }

  @Override
  public List<String> list() {
    return admin.list(Names.responsePrefix(cluster));
  }

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    return queues.send(ours(queue), batch);
  }

  @Override
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queues.receive(ours(queue), max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    return queues.delete(ours(queue), handles);
  }

  /** Checks a queue's name, because a name from untrusted input may be that of any queue. */
  private String ours(String queue) {
    if (!Names.isResponse(cluster, queue)) {
      throw MissingResourceException.foreign(queue, cluster);
    }
    return queue;
  }
}
