package io.cloudkon.provisioner.record;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The open decisions of a cluster, as its lease holder knows them: read once, and then kept along
 * with what it writes itself. Used by one thread at a time.
 *
 * <p>Costs two requests when it is read (a GetItem, and a BatchGetItem for each 100 decisions), a
 * transaction of two writes for each intent, and one write for each thing that becomes of it;
 * nothing while nothing happens.
 */
public final class DecisionBook {
  private final DecisionStore store;
  private final NavigableMap<Long, Decision> open = new TreeMap<>();
  private long next = 1;
  private boolean current;

  /** Knows nothing yet. */
  public DecisionBook(DecisionStore store) {
    this.store = store;
  }

  /** Whether it shows what the table holds. */
  public boolean current() {
    return current;
  }

  /**
   * Something was written of which nobody knows whether it came through, or another may have
   * written: it is to be read anew.
   */
  public void outdated() {
    current = false;
  }

  /** Reads every open decision, whoever made it. */
  public void read() {
    open.clear();
    store
        .provisioner()
        .ifPresent(entry -> {
          next = entry.nextDecision();
          store.decisions(entry.oldestOpen(), next - 1).stream()
              .filter(Decision::open)
              .forEach(decision -> open.put(decision.number(), decision));
        });
    current = true;
  }

  /** In order. */
  public List<Decision> open() {
    return List.copyOf(open.values());
  }

  /** The number that the next decision has. */
  public long next() {
    return next;
  }

  /** No decision below this number is open; see {@link ProvisionerEntry#oldestOpen}. */
  public long oldestOpen() {
    return open.isEmpty() ? next : open.firstKey();
  }

  /**
   * Writes a decision that is to be carried out.
   *
   * @return false if the lease is another's, or somebody has made a decision of its number; the
   *     book is outdated then
   */
  public boolean intend(Decision decision) {
    current = false; // unless an answer says how it came out
    if (!store.intend(decision)) {
      return false;
    }
    open.put(decision.number(), decision);
    next = decision.number() + 1;
    current = true;
    return true;
  }

  /** Writes what became of a decision. */
  public void update(Decision decision) {
    current = false;
    boolean written = store.update(decision);
    if (decision.open()) {
      open.put(decision.number(), decision);
    } else {
      open.remove(decision.number());
    }
    current = written;
  }
}
