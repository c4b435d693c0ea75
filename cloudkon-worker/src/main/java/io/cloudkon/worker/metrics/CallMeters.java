package io.cloudkon.worker.metrics;

import io.cloudkon.core.model.ResultBatch.Calls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Counters of API calls, from the counts that exist anyway. An operation appears once it was
 * called. Thread safe.
 */
final class CallMeters {
  private final MeterRegistry registry;
  private final Supplier<List<Calls>> counts;
  private final Map<String, Long> latest = new ConcurrentHashMap<>();

  CallMeters(MeterRegistry registry, Supplier<List<Calls>> counts) {
    this.registry = registry;
    this.counts = counts;
  }

  /** Updates the counters; must be called before each scrape. */
  synchronized void refresh() {
    for (Calls calls : counts.get()) {
      if (latest.put(calls.operation(), calls.calls()) == null) {
        register(calls.operation());
      }
    }
  }

  private void register(String key) {
    int dot = key.indexOf('.');
    FunctionCounter.builder("cloudkon.calls", latest, map -> map.getOrDefault(key, 0L))
        .description("API calls, every attempt, by service and operation.")
        .tag("service", key.substring(0, Math.max(0, dot)))
        .tag("operation", key.substring(dot + 1))
        .register(registry);
  }
}
