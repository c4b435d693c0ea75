package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.ResultBatch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts calls and their billing units. */
public final class CallCounts {
  private final Map<Call, Count> counts = new EnumMap<>(Call.class);
  private long throttledByQuota;

  private static final class Count {
    long calls;
    long units;
  }

  void add(Call call, long billed) {
    Count count = counts.computeIfAbsent(call, c -> new Count());
    count.calls++;
    count.units += billed;
  }

  /** Adds units to a call that is already counted. */
  void more(Call call, long billed) {
    counts.computeIfAbsent(call, c -> new Count()).units += billed;
  }

  void throttled() {
    throttledByQuota++;
  }

  /** The number of calls of one kind. */
  public long of(Call call) {
    Count count = counts.get(call);
    return count == null ? 0 : count.calls;
  }

  /** The number of all calls. */
  public long all() {
    return counts.values().stream().mapToLong(count -> count.calls).sum();
  }

  /** The number of writes that DynamoDB refused because of the limit of a table or item. */
  public long throttledByQuota() {
    return throttledByQuota;
  }

  /** The calls by operation, as a report bills them. */
  public List<ResultBatch.Calls> billed() {
    return counts.entrySet().stream()
        .map(entry ->
            new ResultBatch.Calls(
                entry.getKey().operation(), entry.getValue().calls, entry.getValue().units))
        .toList();
  }
}
