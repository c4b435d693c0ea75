package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.ResultBatch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts calls, and the units by which they are billed. */
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

  /** More units of a call that was counted. */
  void more(Call call, long billed) {
    counts.computeIfAbsent(call, c -> new Count()).units += billed;
  }

  void throttled() {
    throttledByQuota++;
  }

  /** Calls of one kind. */
  public long of(Call call) {
    Count count = counts.get(call);
    return count == null ? 0 : count.calls;
  }

  /** All calls. */
  public long all() {
    return counts.values().stream().mapToLong(count -> count.calls).sum();
  }

  /** Writes that DynamoDB refused because its table or item has a limit. */
  public long throttledByQuota() {
    return throttledByQuota;
  }

  /** By operation, as a report bills them. */
  public List<ResultBatch.Calls> billed() {
    return counts.entrySet().stream()
        .map(entry ->
            new ResultBatch.Calls(
                entry.getKey().operation(), entry.getValue().calls, entry.getValue().units))
        .toList();
  }
}
