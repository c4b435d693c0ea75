package io.cloudkon.core.faults;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The response queues, with the witness looking on: what counts is what the queue itself accepted.
 */
final class WatchedResponses implements ResponseQueue {
  private final ResponseQueue queues;
  private final Witness witness;

  WatchedResponses(ResponseQueue queues, Witness witness) {
    this.queues = queues;
    this.witness = witness;
  }

  @Override
  public void create(String queue) {
    queues.create(queue);
  }

  @Override
  public void remove(String queue) {
    queues.remove(queue);
  }

  @Override
  public List<String> list() {
    return queues.list();
  }

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    List<BatchFailure> failures = queues.send(queue, batch);
    Set<Integer> failed = new HashSet<>();
    failures.forEach(failure -> failed.add(failure.index()));
    for (int i = 0; i < batch.size(); i++) {
      if (!failed.contains(i)) {
        witness.replied(Wire.results(batch.get(i).payload()));
      }
    }
    return failures;
  }

  @Override
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queues.receive(queue, max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    return queues.delete(queue, handles);
  }
}
