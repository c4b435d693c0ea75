package io.cloudkon.worker.metrics;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.time.TimeSource;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The response queues, with a timer for sends, including those that failed. */
record MeteredResponses(ResponseQueue queues, TimeSource time, Timer took)
    implements ResponseQueue {

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    long begun = time.monotonicNanos();
    try {
      return queues.send(queue, batch);
    } finally {
      took.record(time.monotonicNanos() - begun, TimeUnit.NANOSECONDS);
    }
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
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queues.receive(queue, max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    return queues.delete(queue, handles);
  }
}
