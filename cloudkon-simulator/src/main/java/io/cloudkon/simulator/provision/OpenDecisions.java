package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.simulator.cloud.SimDecisions;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The open decisions as one provisioner knows them: read once, and kept along with what it writes,
 * as the production's book of decisions is.
 */
final class OpenDecisions {
  private final SimDecisions table;
  private final SimProcess process;
  private final NavigableMap<Long, Decision> open = new TreeMap<>();
  private long next = 1;
  private boolean current;

  OpenDecisions(SimDecisions table, SimProcess process) {
    this.table = table;
    this.process = process;
  }

  /** In order. */
  List<Decision> all() {
    return List.copyOf(open.values());
  }

  /** The number that the next decision has. */
  long next() {
    return next;
  }

  /** No decision below this number is open. */
  long oldest() {
    return open.isEmpty() ? next : open.firstKey();
  }

  /** Others may have written. */
  void outdated() {
    current = false;
  }

  /** Goes on with true once it shows what the table holds, and with false if that failed. */
  void readIfNeeded(Consumer<Boolean> then) {
    if (current) {
      then.accept(true);
      return;
    }
    table.provisioner(
        process,
        found -> {
          if (found == null || found.isEmpty()) {
            then.accept(false);
          } else {
            read(found.get(), then);
          }
        });
  }

  private void read(ProvisionerEntry entry, Consumer<Boolean> then) {
    table.decisions(
        process,
        entry.oldestOpen(),
        entry.nextDecision() - 1,
        all -> {
          if (all == null) {
            then.accept(false);
            return;
          }
          open.clear();
          next = entry.nextDecision();
          all.stream().filter(Decision::open).forEach(one -> open.put(one.number(), one));
          current = true;
          then.accept(true);
        });
  }

  /** Writes a decision that is to be carried out; goes on with whether it is certain to stand. */
  void intend(Decision decision, Consumer<Boolean> then) {
    current = false;
    table.intend(
        process,
        decision,
        intended -> {
          boolean stands = intended != null && intended;
          if (stands) {
            open.put(decision.number(), decision);
            next = decision.number() + 1;
            current = true;
          }
          then.accept(stands);
        });
  }

  /** Writes what became of a decision; goes on with whether it is certain to stand. */
  void update(Decision decision, Consumer<Boolean> then) {
    boolean before = current;
    current = false;
    table.update(
        process,
        decision,
        written -> {
          boolean stands = written != null && written;
          if (stands && decision.open()) {
            open.put(decision.number(), decision);
          } else if (stands) {
            open.remove(decision.number());
          }
          current = before && stands;
          then.accept(stands);
        });
  }
}
