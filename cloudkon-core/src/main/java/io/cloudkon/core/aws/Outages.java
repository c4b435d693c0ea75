package io.cloudkon.core.aws;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
 * s, and that it answers again. Refusals and throttling count as answers. A single call that fails
 * while others are answered is no outage. Thread safe; an answered call costs one map lookup.
 */
public final class Outages implements ExecutionInterceptor {
  static final long TOLD_AFTER_SECONDS = 10;

  private static final ExecutionAttribute<Long> BEGUN = new ExecutionAttribute<>("CloudKonBegun");
  private static final int SERVER_ERROR = 500;

  private final LongSupplier nanos;
  private final Map<String, Outage> outages = new ConcurrentHashMap<>();
  private volatile Consumer<String> say = line -> {};

  /** The latest outage of one service, and its latest answer. */
  private static final class Outage {
    private final String service;
    private boolean over = true;
    private boolean everAnswered;
    private long answeredAt;
    private long since;
    private boolean told;

    /**
     * Neither an outage nor an answer yet.
     *
     * @param service its name for display
     */
    Outage(String service) {
      this.service = service;
    }

    /** Records a failed call; one from before the last answer proves no outage. */
    synchronized Optional<String> failed(String why, long begun, long now) {
      if (over) {
        if (everAnswered && begun - answeredAt < 0) {
          return Optional.empty();
        }
        over = false;
        told = false;
        since = begun;
      }
      if (told || seconds(now) < TOLD_AFTER_SECONDS) {
        return Optional.empty();
      }
      told = true;
      return Optional.of(
          "%s has not answered for %d s, trying again%s".formatted(service, seconds(now), why));
    }

    /** Records an answer, which ends it unless it is over already. */
    synchronized Optional<String> answered(long now) {
      answeredAt = everAnswered ? Math.max(answeredAt, now) : now;
      everAnswered = true;
      if (over) {
        return Optional.empty();
      }
      over = true;
      return told
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
    outage(attributes).failed(reason(failure), begun, now).ifPresent(say);
  }

  private void answered(ExecutionAttributes attributes) {
    outage(attributes).answered(nanos.getAsLong()).ifPresent(say);
  }

  private Outage outage(ExecutionAttributes attributes) {
    return outages.computeIfAbsent(
        attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME),
        service -> new Outage(name(service)));
  }

  /** The service's name for display. */
  private static String name(String service) {
    return switch (service.toLowerCase(Locale.ROOT)) {
      case "sqs" -> "SQS";
      case "dynamodb" -> "DynamoDB";
      case "s3" -> "S3";
      default -> service;
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
