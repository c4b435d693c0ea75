package io.cloudkon.simulator.check;

import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks which jobs each manager holds. Checks that the ledger shows none of them as waiting soon
 * after its manager has closed it, unless the manager could not remove the item.
 */
public final class WaitingItems {
  /** The time within which the item is removed, in microseconds: a few calls. */
  private static final long REMOVED = 5_000_000;

  /** How long before the end a call of the manager may have been delayed, in microseconds. */
  private static final long BEFORE = 60_000_000;

  private final Map<String, Holding> holdings = new HashMap<>();

  private static final class Holding {
    final SimProcess manager;
    int messages;
    long closedAt;

    Holding(SimProcess manager) {
      this.manager = manager;
    }
  }

  /** Records that a manager received a message of a job. */
  public void received(SimProcess manager, String job) {
    holdings.computeIfAbsent(key(manager.name(), job), key -> new Holding(manager)).messages++;
  }

  /** Records that a manager closed a message of a job. */
  public void closed(SimProcess manager, String job) {
    Holding holding = holdings.get(key(manager.name(), job));
    if (holding != null) {
      holding.messages--;
      holding.closedAt = manager.micros();
    }
  }

  /** Checks the waiting jobs that the ledger shows to a manager. */
  void seen(List<Waiting> waiting) {
    for (Waiting item : waiting) {
      Holding holding = holdings.get(key(item.worker(), item.job()));
      if (holding != null && holding.messages == 0) {
        long since = holding.manager.micros() - holding.closedAt;
        Violation.unless(
            since <= REMOVED || holding.manager.disturbedSince(holding.closedAt - BEFORE),
            "the ledger shows that %s waits at %s, which closed it %d ms ago",
            item.job(),
            item.worker(),
            since / 1000);
      }
    }
  }

  private static String key(String manager, String job) {
    return manager + ' ' + job;
  }
}
