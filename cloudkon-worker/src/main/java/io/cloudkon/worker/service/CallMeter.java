package io.cloudkon.worker.service;

import io.cloudkon.core.model.ResultBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts the worker's API calls since its first bundle of each run. If a worker serves two runs at
 * the same time, all calls are counted for both. Thread safe.
 */
final class CallMeter {
  private static final int REMEMBERED = 1000;

  private final Supplier<List<ResultBatch.Calls>> counts;

  /**
   * The counts at the start, by run. Bounded, because a worker is not told of the end of a run of
   * which it has no bundles.
   */
  private final Map<String, Map<String, ResultBatch.Calls>> before =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(
                Map.Entry<String, Map<String, ResultBatch.Calls>> eldest) {
              return size() > REMEMBERED;
            }
          });

  CallMeter(Supplier<List<ResultBatch.Calls>> counts) {
    this.counts = counts;
  }

  /** Starts counting with the run's first bundle; does nothing for later ones. */
  void begin(String run) {
    before.computeIfAbsent(
        run,
        r -> {
          Map<String, ResultBatch.Calls> now = new HashMap<>();
          counts.get().forEach(calls -> now.put(calls.operation(), calls));
          return now;
        });
  }

  /** The calls since the run's first bundle. */
  List<ResultBatch.Calls> since(String run) {
    Map<String, ResultBatch.Calls> then = before.getOrDefault(run, Map.of());
    List<ResultBatch.Calls> since = new ArrayList<>();
    for (ResultBatch.Calls calls : counts.get()) {
      ResultBatch.Calls old = then.get(calls.operation());
      since.add(
          old == null
              ? calls
              : new ResultBatch.Calls(
                  calls.operation(), calls.calls() - old.calls(), calls.units() - old.units()));
    }
    return since;
  }

  /** Forgets a run that is over. */
  void forget(String run) {
    before.remove(run);
  }
}
