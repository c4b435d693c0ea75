package io.cloudkon.core.aws;

import io.cloudkon.core.time.SystemTime;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Informs {@link SystemTime} how far the service's clock is ahead, from the {@code Date} header of
 * its answers. Thread safe.
 */
final class ServiceClock implements ExecutionInterceptor {
  private static final ExecutionAttribute<Sent> SENT = new ExecutionAttribute<>("cloudkon.sent");

  /** By how much this machine's clocks may have moved apart during a call, in milliseconds. */
  private static final long SET_MILLIS = 500;

  private final SystemTime time;
  private final OffsetEstimate estimate = new OffsetEstimate();

  /**
   * The last parsed date, because parsing is the most expensive step and all answers within a
   * second carry the same date.
   */
  private final AtomicReference<Parsed> last = new AtomicReference<>(new Parsed("", 0));

  private record Parsed(String header, long millis) {}

  /**
   * The moment at which a call was sent.
   *
   * @param millis by the wall clock
   * @param apart how far that clock was ahead of the monotonic one, in milliseconds
   */
  private record Sent(long millis, long apart) {}

  ServiceClock(SystemTime time) {
    this.time = time;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    attributes.putAttribute(SENT, new Sent(System.currentTimeMillis(), time.apartMillis()));
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    long received = System.currentTimeMillis();
    Sent sent = attributes.getAttribute(SENT);
    // A call during which the clock was set, or the machine slept, says nothing about the offset.
    if (sent != null && Math.abs(time.apartMillis() - sent.apart()) <= SET_MILLIS) {
      context
          .httpResponse()
          .firstMatchingHeader("Date")
          .ifPresent(header -> observe(header, sent.millis(), received));
    }
  }

  private void observe(String header, long sent, long received) {
    Parsed parsed = last.get();
    if (!parsed.header.equals(header)) {
      try {
        Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from);
        parsed = new Parsed(header, date.toEpochMilli());
      } catch (DateTimeParseException e) {
        return; // no clock is better than a wrong one
      }
      last.set(parsed);
    }
    time.learn(estimate.observe(parsed.millis, sent, received));
  }
}
