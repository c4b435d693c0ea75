package io.cloudkon.provisioner.record;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.OpenDecisions;
import java.util.List;

/**
 * The lease holder's copy of a cluster's open decisions: read once, and then updated with the
 * holder's own writes. Used by one thread at a time.
 *
 * <p>A read costs two requests (a GetItem, and a BatchGetItem for each 100 decisions), an intent
 * costs a transaction of two writes, and each later change costs one write. Otherwise it costs
 * nothing.
 */
public final class DecisionBook {
  private final DecisionStore store;
  private final OpenDecisions known = new OpenDecisions();

  /** A copy that was not read yet. */
  public DecisionBook(DecisionStore store) {
    this.store = store;
  }

  /** Whether this copy corresponds to the table. */
  public boolean current() {
    return known.current();
  }

  /**
   * Marks this copy as outdated, because the outcome of a write is unknown or another provisioner
   * may have written: it must be read again.
   */
  public void outdated() {
    known.outdated();
  }

  /** Reads every open decision, whoever made it. If that fails, the previous content is kept. */
  public void read() {
    store
        .provisioner()
        .ifPresent(entry ->
            known.read(entry, store.decisions(entry.oldestOpen(), entry.nextDecision() - 1)));
  }

  /** The open decisions, in order. */
  public List<Decision> open() {
    return known.all();
  }

  /** The number of the next decision. */
  public long next() {
    return known.next();
  }

  /** No decision below this number is open; see {@link ProvisionerEntry#oldestOpen}. */
  public long oldestOpen() {
    return known.oldest();
  }

  /**
   * Writes a decision before it is carried out.
   *
   * @return false if another provisioner has the lease, or a decision with this number exists; this
   *     copy is then outdated
   */
  public boolean intend(Decision decision) {
    known.writing();
    boolean stands = store.intend(decision);
    known.intended(decision, stands);
    return stands;
  }

  /** Writes the outcome of a decision. */
  public void update(Decision decision) {
    known.writing();
    known.updated(decision, store.update(decision));
  }
}
