package io.cloudkon.provisioner.record;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.OpenDecisions;
import java.util.List;

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
  private final OpenDecisions known = new OpenDecisions();

  /** Knows nothing yet. */
  public DecisionBook(DecisionStore store) {
    this.store = store;
  }

  /** Whether it shows what the table holds. */
  public boolean current() {
    return known.current();
  }

  /**
   * Something was written of which nobody knows whether it came through, or another may have
   * written: it is to be read anew.
   */
  public void outdated() {
    known.outdated();
  }

  /** Reads every open decision, whoever made it; if that fails, it knows what it knew before. */
  public void read() {
    store
        .provisioner()
        .ifPresent(entry ->
            known.read(entry, store.decisions(entry.oldestOpen(), entry.nextDecision() - 1)));
  }

  /** In order. */
  public List<Decision> open() {
    return known.all();
  }

  /** The number that the next decision has. */
  public long next() {
    return known.next();
  }

  /** No decision below this number is open; see {@link ProvisionerEntry#oldestOpen}. */
  public long oldestOpen() {
    return known.oldest();
  }

  /**
   * Writes a decision that is to be carried out.
   *
   * @return false if the lease is another's, or somebody has made a decision of its number; the
   *     book is outdated then
   */
  public boolean intend(Decision decision) {
    known.writing();
    boolean stands = store.intend(decision);
    known.intended(decision, stands);
    return stands;
  }

  /** Writes what became of a decision. */
  public void update(Decision decision) {
    known.writing();
    known.updated(decision, store.update(decision));
  }
}
