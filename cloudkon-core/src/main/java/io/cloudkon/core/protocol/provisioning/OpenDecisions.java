package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A provisioner's copy of the open decisions: those that it has read, and those that it has written
 * since. A failed read never removes anything, because a provisioner that forgot a decision would
 * launch for it again. Not thread safe.
 */
public final class OpenDecisions {
  private final NavigableMap<Long, Decision> open = new TreeMap<>();
  private long next = 1;
  private boolean current;
  private boolean currentBefore;

  /** Whether the copy corresponds to the table. */
  public boolean current() {
    return current;
  }

  /** Marks the copy as outdated, because another provisioner may have written. */
  public void outdated() {
    current = false;
  }

  /** Records that a write begins; until its answer the content of the table is unknown. */
  public void writing() {
    currentBefore = current;
    current = false;
  }

  /**
   * Records that the whole table was read.
   *
   * @param entry the provisioner's entry, read first
   * @param decisions the decisions from its oldest open one on
   */
  public void read(ProvisionerEntry entry, Collection<Decision> decisions) {
    open.clear();
    decisions.stream()
        .filter(Decision::open)
        .forEach(decision -> open.put(decision.number(), decision));
    next = entry.nextDecision();
    current = true;
  }

  /** The open decisions, in order. */
  public List<Decision> all() {
    return List.copyOf(open.values());
  }

  /** The number of the next decision. */
  public long next() {
    return next;
  }

  /** As far as known, no decision below this number is open. */
  public long oldest() {
    return open.isEmpty() ? next : open.firstKey();
  }

  /**
   * Records that the intent of a decision was written.
   *
   * @param stands whether the table has confirmed it
   */
  public void intended(Decision decision, boolean stands) {
    current = stands;
    if (stands) {
      open.put(decision.number(), decision);
      next = decision.number() + 1;
    }
  }

  /**
   * Records that the outcome of a decision was written.
   *
   * @param stands whether the table has confirmed it
   */
  public void updated(Decision decision, boolean stands) {
    current = currentBefore && stands;
    if (stands && decision.open()) {
      open.put(decision.number(), decision);
    } else if (stands) {
      open.remove(decision.number());
    }
  }
}
