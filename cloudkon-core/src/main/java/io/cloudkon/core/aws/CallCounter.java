package io.cloudkon.core.aws;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Counts every attempt of every SDK call by its operation, and what is billed for it. An attempt
 * counts when it is handed to the connection, whether or not it then gets an answer; an SQS request
 * is billed per 64 KiB begun, a DynamoDB call by the capacity that its answer names. Thread safe.
 */
public final class CallCounter implements ExecutionInterceptor {
  private final Map<String, Count> counts = new ConcurrentHashMap<>();

  private static final class Count {
    final LongAdder calls = new LongAdder();
    final DoubleAdder units = new DoubleAdder();
  }

  /** The calls so far, by operation in ascending order. */
  public List<Calls> snapshot() {
    return new TreeMap<>(counts)
        .entrySet().stream()
            .map(e -> new Calls(e.getKey(), e.getValue().calls.sum(), e.getValue().units.sum()))
            .toList();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    Count count = count(attributes);
    count.calls.increment();
    count.units.add(BilledUnits.ofRequest(context.request()));
  }

  @Override
  public void afterUnmarshalling(
      Context.AfterUnmarshalling context, ExecutionAttributes attributes) {
    count(attributes).units.add(BilledUnits.ofResponse(context.response()));
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    double units = BilledUnits.ofFailure(context.exception());
    if (units > 0) {
      count(attributes).units.add(units);
    }
  }

  private Count count(ExecutionAttributes attributes) {
    String service = attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME);
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    return counts.computeIfAbsent(
        service.toLowerCase(Locale.ROOT) + '.' + operation, key -> new Count());
  }
}
