package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The open decisions as one provisioner knows them: what was read once, and what it has written
 * since. What a failed read leaves behind is what was known before, and never less: whoever forgot
 * a decision would launch for it again. Not thread safe.
 */
public final class OpenDecisions {
  private final NavigableMap<Long, Decision> open = new TreeMap<>();
  private long next = 1;
  private boolean current;
  private boolean currentBefore;

  /** Whether it shows what the table holds. */
  public boolean current() {
    return current;
  }

  /** Another may have written: it is to be read anew. */
  public void outdated() {
    current = false;
  }

  /** Something is about to be written; without an answer nobody knows what the table holds. */
  public void writing() {
    currentBefore = current;
    current = false;
  }

  /**
   * All of it was read.
   *
   * @param entry the provisioner's entry, read first
   * @param decisions those from its oldest open one on
   */
  public void read(ProvisionerEntry entry, Collection<Decision> decisions) {
    open.clear();
    decisions.stream()
        .filter(Decision::open)
        .forEach(decision -> open.put(decision.number(), decision));
    next = entry.nextDecision();
    current = true;
  }

  /** In order. */
  public List<Decision> all() {
    return List.copyOf(open.values());
  }

  /** The number that the next decision has. */
  public long next() {
    return next;
  }

  /** No decision below this number is open, as far as was ever known. */
  public long oldest() {
    return open.isEmpty() ? next : open.firstKey();
  }

  /**
   * The intent of a decision was written.
   *
   * @param stands whether the table has said so
   */
  public void intended(Decision decision, boolean stands) {
    current = stands;
    if (stands) {
      open.put(decision.number(), decision);
      next = decision.number() + 1;
    }
  }

  /**
   * The outcome of a decision was written.
   *
   * @param stands whether the table has said so
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
