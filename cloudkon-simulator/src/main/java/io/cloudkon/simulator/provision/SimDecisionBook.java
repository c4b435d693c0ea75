package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.OpenDecisions;
import io.cloudkon.simulator.cloud.SimDecisions;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.List;
import java.util.function.Consumer;

/** The open decisions of the production, and the calls that keep them true. */
final class SimDecisionBook {
  private final SimDecisions table;
  private final SimProcess process;
  private final OpenDecisions known = new OpenDecisions();

  SimDecisionBook(SimDecisions table, SimProcess process) {
    this.table = table;
    this.process = process;
  }

  /** In order. */
  List<Decision> all() {
    return known.all();
  }

  /** The number that the next decision has. */
  long next() {
    return known.next();
  }

  /** No decision below this number is open. */
  long oldest() {
    return known.oldest();
  }

  /** Others may have written. */
  void outdated() {
    known.outdated();
  }

  /** Goes on with true once it shows what the table holds, and with false if that failed. */
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

  /** Writes a decision that is to be carried out; goes on with whether it is certain to stand. */
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

  /** Writes what became of a decision; goes on with whether it is certain to stand. */
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
