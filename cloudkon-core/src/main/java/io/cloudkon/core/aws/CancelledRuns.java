package io.cloudkon.core.aws;

import io.cloudkon.core.port.RunEntry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers cancelled runs that have not changed for a while, so that a reader that looks every few
 * seconds need not read each of them every time. Thread safe.
 */
final class CancelledRuns {
  /**
   * The time without a change after which a cancelled run is remembered, and the time after which a
   * remembered one is read again; milliseconds. Its client or a cancel settles it within that time,
   * and its messages are in the queue again.
   */
  private static final long QUIET_MILLIS = 600_000;

  private record Seen(RunEntry run, long at) {}

  private final Map<String, Seen> runs = new ConcurrentHashMap<>();

  /**
   * The runs with these ids that need not be read; forgets those with other ids.
   *
   * @param now service clock, epoch milliseconds
   */
  List<RunEntry> remembered(Collection<String> ids, long now) {
    runs.keySet().retainAll(new HashSet<>(ids));
    runs.values().removeIf(seen -> now - seen.at() >= QUIET_MILLIS);
    return runs.values().stream().map(Seen::run).toList();
  }

  /**
   * Remembers the run if it is cancelled and quiet.
   *
   * @param now when it was read; service clock, epoch milliseconds
   */
  void remember(RunEntry run, long now) {
    if (run.state() == RunEntry.State.CANCELLED && now - run.updatedMillis() >= QUIET_MILLIS) {
      runs.put(run.run(), new Seen(run, now));
    }
  }
}
