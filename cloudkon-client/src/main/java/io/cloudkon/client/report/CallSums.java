package io.cloudkon.client.report;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** API calls of several processes, added up by service and operation. Not thread safe. */
final class CallSums {
  private static final List<String> SERVICES = List.of("sqs", "dynamodb", "s3");

  private final SortedMap<String, Calls> sums = new TreeMap<>();

  CallSums add(Iterable<Calls> calls) {
    for (Calls more : calls) {
      sums.merge(
          more.operation(),
          more,
          (a, b) -> new Calls(a.operation(), a.calls() + b.calls(), a.units() + b.units()));
    }
    return this;
  }

  /** Counts by service and operation; the three services of the protocol always have a key. */
  SortedMap<String, SortedMap<String, Long>> counts() {
    SortedMap<String, SortedMap<String, Long>> counts = new TreeMap<>();
    SERVICES.forEach(service -> counts.put(service, new TreeMap<>()));
    for (Calls sum : sums.values()) {
      counts.computeIfAbsent(service(sum), s -> new TreeMap<>()).put(operation(sum), sum.calls());
    }
    return counts;
  }

  /** Costs in US dollars by the same keys. */
  SortedMap<String, SortedMap<String, Double>> costs(ToDoubleFunction<List<Calls>> price) {
    SortedMap<String, SortedMap<String, Double>> costs = new TreeMap<>();
    SERVICES.forEach(service -> costs.put(service, new TreeMap<>()));
    for (Calls sum : sums.values()) {
      costs
          .computeIfAbsent(service(sum), s -> new TreeMap<>())
          .put(operation(sum), price.applyAsDouble(List.of(sum)));
    }
    return costs;
  }

  double cost(ToDoubleFunction<List<Calls>> price) {
    return price.applyAsDouble(List.copyOf(sums.values()));
  }

  /** The service of a call: {@code sqs} for {@code sqs.SendMessageBatch}. */
  private static String service(Calls calls) {
    return calls.operation().substring(0, Math.max(0, calls.operation().indexOf('.')));
  }

  private static String operation(Calls calls) {
    return calls.operation().substring(calls.operation().indexOf('.') + 1);
  }
}
