package io.cloudkon.provisioner.observe;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the number of messages in a queue, and bridges times in which SQS does not answer. */
final class DepthReading {
  private static final Logger LOG = LoggerFactory.getLogger(DepthReading.class);
  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);
  private static final long GOOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final RequestQueue queue;
  private final TimeSource time;
  private QueueDepth last = EMPTY;
  private long readAt;
  private boolean away;

  DepthReading(RequestQueue queue, TimeSource time) {
    this.queue = queue;
    this.time = time;
    this.readAt = time.monotonicNanos();
  }

  QueueDepth read() {
    try {
      last = queue.depth();
      readAt = time.monotonicNanos();
      if (away) {
        LOG.warn("the depth of queue '{}' can be read again", queue.name());
      }
      away = false;
      return last;
    } catch (MissingResourceException e) {
      throw e;
    } catch (CloudKonException e) {
      if (!away) {
        LOG.warn(
            "the depth of queue '{}' cannot be read: {}; nothing more is launched for it until"
                + " then",
            queue.name(),
            e.getMessage());
      }
      away = true;
      return time.monotonicNanos() - readAt < GOOD_NANOS ? last : EMPTY;
    }
  }
}
