package io.cloudkon.client.collect;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives as many messages at a time as the link carries while they are hidden. Ten results may be
 * 13 MB: over a slow downlink such a batch becomes visible again before it has arrived, or never
 * arrives within the time that a call has. So half as many are requested after a batch that was
 * slow or did not arrive, down to one, and twice as many after a full batch that was fast. Thread
 * safe.
 */
final class AdaptiveReceives {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveReceives.class);

  /** The batches that take longer are too large. */
  private static final long SLOW_MILLIS = Collector.VISIBILITY.toMillis();

  /** Twice as many messages as in a full batch that took less would still not be slow. */
  private static final long FAST_MILLIS = SLOW_MILLIS / 4;

  private final ResponseQueue queues;
  private final TimeSource time;
  private final AtomicInteger size = new AtomicInteger(Limits.BATCH);

  AdaptiveReceives(ResponseQueue queues, TimeSource time) {
    this.queues = queues;
    this.time = time;
  }

  /** Receives a batch, which is hidden for {@link Collector#VISIBILITY}. */
  List<ReceivedMessage> receive(String queue, Duration wait) throws InterruptedException {
    int requested = size.get();
    long begun = time.now().mono();
    List<ReceivedMessage> messages;
    try {
      messages = queues.receive(queue, requested, wait, Collector.VISIBILITY);
    } catch (TransientServiceException e) {
      if (isSlow(begun, wait)) {
        shrink(requested);
      }
      throw e;
    }
    boolean full = messages.size() == requested;
    // A full batch hardly waited for messages: its time was that of its transfer.
    if (!messages.isEmpty() && isSlow(begun, full ? Duration.ZERO : wait)) {
      shrink(messages.size());
    } else if (full && time.now().mono() - begun <= FAST_MILLIS) {
      size.updateAndGet(now -> Math.max(now, Math.min(Limits.BATCH, 2 * requested)));
    }
    return messages;
  }

  private boolean isSlow(long begun, Duration wait) {
    return time.now().mono() - begun > wait.toMillis() + SLOW_MILLIS;
  }

  /**
   * Makes the next batches half as large as this one, which other threads may have done already.
   */
  private void shrink(int tooMany) {
    int half = Math.max(1, tooMany / 2);
    if (size.getAndUpdate(now -> Math.min(now, half)) > half) {
      LOG.debug("results arrive slowly, so at most {} are requested at a time", half);
    }
  }
}
