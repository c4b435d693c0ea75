package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.OpenDecisions;
import io.cloudkon.simulator.cloud.SimDecisions;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.List;
import java.util.function.Consumer;

/** The production class of open decisions, and the calls that keep it up to date. */
final class SimDecisionBook {
  private final SimDecisions table;
  private final SimProcess process;
  private final OpenDecisions known = new OpenDecisions();

  SimDecisionBook(SimDecisions table, SimProcess process) {
    this.table = table;
    this.process = process;
  }

  /** All open decisions, in order. */
  List<Decision> all() {
    return known.all();
  }

  /** The number of the next decision. */
  long next() {
    return known.next();
  }

  /** The number below which no decision is open. */
  long oldest() {
    return known.oldest();
  }

  /** Declares that others may have written since. */
  void outdated() {
    known.outdated();
  }

  /**
   * Reads the table if needed. Continues with true once the book is up to date, and with false if
   * the read failed.
   */
  void readIfNeeded(Consumer<Boolean> then) {
    if (known.current()) {
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
          known.read(entry, all);
          then.accept(true);
        });
  }

  /**
   * Writes a decision that is to be carried out. Continues with whether the write certainly
   * succeeded.
   */
  void intend(Decision decision, Consumer<Boolean> then) {
    known.writing();
    table.intend(
        process,
        decision,
        intended -> {
          boolean stands = intended != null && intended;
          known.intended(decision, stands);
          then.accept(stands);
        });
  }

  /** Writes the outcome of a decision. Continues with whether the write certainly succeeded. */
  void update(Decision decision, Consumer<Boolean> then) {
    known.writing();
    table.update(
        process,
        decision,
        written -> {
          boolean stands = written != null && written;
          known.updated(decision, stands);
          then.accept(stands);
        });
  }
}
