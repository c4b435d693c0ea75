package io.cloudkon.worker.service;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads whether runs are open: one consistent read per run every 4 s, for all of its bundles.
 * Thread safe.
 */
final class RunStates {
  private static final Logger LOG = LoggerFactory.getLogger(RunStates.class);
  private static final long FRESH_NANOS = 4_000_000_000L;
  private static final int REMEMBERED = 1000;

  private final RunStore runs;
  private final ReplyRoutes routes;
  private final TimeSource time;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(boolean open, long readNanos) {}

  RunStates(RunStore runs, ReplyRoutes routes, TimeSource time) {
    this.runs = runs;
    this.routes = routes;
    this.time = time;
  }

  /** Whether the run accepts results, as far as is known; reads if the last read is too old. */
  boolean open(String run) {
    Known last = known.get(run);
    if (last != null && time.monotonicNanos() - last.readNanos() < FRESH_NANOS) {
      return last.open();
    }
    return read(run, last == null || last.open());
  }

  /** Reads whether the run is open; returns {@code otherwise} if the read fails. */
  boolean read(String run, boolean otherwise) {
    // The answer may be as old as the start of the read.
    long asked = time.monotonicNanos();
    try {
      Optional<RunEntry> entry = runs.read(run);
      boolean open = entry.isPresent() && entry.get().state() == RunEntry.State.OPEN;
      if (open) {
        routes.move(run, entry.get().responseQueue());
      } else {
        routes.forget(run);
      }
      if (known.size() >= REMEMBERED) {
        known.clear();
        routes.clear();
      }
      known.put(run, new Known(open, asked));
      return open;
    } catch (RuntimeException | Error e) {
      LOG.debug("could not read run {}: {}", run, e.toString());
      return otherwise;
    }
  }
}
