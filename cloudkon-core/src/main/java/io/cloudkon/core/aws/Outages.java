package io.cloudkon.core.aws;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Reports that a service does not answer, once it has not answered for {@value #TOLD_AFTER_SECONDS}
 * s, and that it answers again. Refusals and throttling count as answers. Thread safe; an answered
 * call costs one map lookup.
 */
public final class Outages implements ExecutionInterceptor {
  static final long TOLD_AFTER_SECONDS = 10;

  private static final ExecutionAttribute<Long> BEGUN = new ExecutionAttribute<>("CloudKonBegun");
  private static final int SERVER_ERROR = 500;

  private final LongSupplier nanos;
  private final Map<String, Outage> outages = new ConcurrentHashMap<>();

  /** When the last outage of each service ended: calls that began before it prove nothing. */
  private final Map<String, Long> endedAt = new ConcurrentHashMap<>();

  private volatile Consumer<String> say = line -> {};

  /** The outage of one service, until it answers. */
  private static final class Outage {
    private final long since;
    private boolean told;
    private boolean over;

    Outage(long since) {
      this.since = since;
    }

    synchronized Optional<String> goesOn(String service, String why, long now) {
      if (told || over || seconds(now) < TOLD_AFTER_SECONDS) {
        return Optional.empty();
      }
      told = true;
      return Optional.of(
          "%s has not answered for %d s, trying again%s".formatted(service, seconds(now), why));
    }

    synchronized Optional<String> ends(String service, long now) {
      boolean ends = told && !over;
      over = true;
      return ends
          ? Optional.of("%s answers again, after %d s".formatted(service, seconds(now)))
          : Optional.empty();
    }

    private long seconds(long now) {
      return Duration.ofNanos(now - since).toSeconds();
    }
  }

  /**
   * Reports nothing until a listener is set.
   *
   * @param nanos a monotonic clock
   */
  Outages(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Sets the listener. */
  public void tell(Consumer<String> listener) {
    say = listener;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    attributes.putAttribute(BEGUN, nanos.getAsLong());
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    answered(attributes);
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    Throwable failure = context.exception();
    boolean silent =
        failure instanceof SdkServiceException answer
            ? answer.statusCode() >= SERVER_ERROR
            : failure instanceof SdkClientException && !(failure instanceof AbortedException);
    if (!silent) {
      answered(attributes);
      return;
    }
    long now = nanos.getAsLong();
    long begun = Objects.requireNonNullElse(attributes.getAttribute(BEGUN), now);
    @Nullable Long ended = endedAt.get(service(attributes));
    if (ended != null && begun - ended <= 0) {
      return;
    }
    outages
        .computeIfAbsent(service(attributes), any -> new Outage(begun))
        .goesOn(name(attributes), reason(failure), now)
        .ifPresent(say);
  }

  private void answered(ExecutionAttributes attributes) {
    if (outages.isEmpty()) {
      return;
    }
    String service = service(attributes);
    @Nullable Outage outage = outages.get(service);
    if (outage != null) {
      long now = nanos.getAsLong();
      endedAt.put(service, now); // before the removal, after which a failure begins a new one
      outages.remove(service, outage);
      outage.ends(name(attributes), now).ifPresent(say);
    }
  }

  private static String service(ExecutionAttributes attributes) {
    return attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME).toLowerCase(Locale.ROOT);
  }

  /** The service's name for display. */
  private static String name(ExecutionAttributes attributes) {
    return switch (service(attributes)) {
      case "sqs" -> "SQS";
      case "dynamodb" -> "DynamoDB";
      case "s3" -> "S3";
      default -> attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME);
    };
  }

  /** The reason, as the end of a message; nothing if it is only that no answer came in time. */
  private static String reason(Throwable failure) {
    if (failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException) {
      return "";
    }
    String message = String.valueOf(failure.getMessage());
    int attempts = message.indexOf(" (SDK Attempt Count");
    return ": " + (attempts < 0 ? message : message.substring(0, attempts));
  }
}
