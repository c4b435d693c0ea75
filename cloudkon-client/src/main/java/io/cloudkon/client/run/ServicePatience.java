package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how long a client waits for a queue, table or bucket that refuses it or is missing: not at
 * all before it has worked once. After that, policies and credentials may be under repair, and a
 * service may say for a moment that something does not exist, so a single such answer ends no run.
 * Thread safe.
 */
public final class ServicePatience {
  private static final Logger LOG = LoggerFactory.getLogger(ServicePatience.class);

  /** The patience with a refusal. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The patience with something that does not exist: a cluster may have been torn down. */
  static final Duration MISSING = Duration.ofSeconds(15);

  private final TimeSource time;

  /** When each action was first refused, or each resource first missing. */
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  private volatile boolean worked;

  /** For a queue, table or bucket that has not worked yet. */
  public ServicePatience(TimeSource time) {
    this.time = time;
  }

  /** For one to which access was allowed once. */
  public static ServicePatience thatWorked(TimeSource time) {
    ServicePatience patience = new ServicePatience(time);
    patience.worked = true;
    return patience;
  }

  /** Handles a failed call: throws the failure if it is not worth another try. */
  public void throwIfHopeless(CloudKonException e) {
    if (isHopeless(e)) {
      throw e;
    }
  }

  /** Handles a failed call; returns whether it is not worth another try. */
  public boolean isHopeless(CloudKonException e) {
    return switch (e) {
      case TransientServiceException transientFailure -> false;
      case RefusedException refused -> isHopeless(refused.action(), PATIENCE, e);
      case MissingResourceException missing -> isHopeless(missing.resource(), MISSING, e);
      default -> true;
    };
  }

  private boolean isHopeless(String what, Duration patience, CloudKonException e) {
    long now = time.monotonicNanos();
    Long before = since.putIfAbsent(what, now);
    if (before == null && worked) {
      LOG.warn("{}; trying again for at most {} s", e.getMessage(), patience.toSeconds());
    }
    return !worked || now - (before == null ? now : before) >= patience.toNanos();
  }

  /** Handles a successful call that needs this permission. */
  public void allowed(String action) {
    worked = true;
    if (!since.isEmpty()) {
      since.remove(action);
      since.remove("sqs:GetQueueUrl"); // needed before the call
    }
  }

  /** Handles a successful call, where there is only one kind of calls. */
  public void worked() {
    worked = true;
    if (!since.isEmpty()) {
      since.clear();
    }
  }
}
