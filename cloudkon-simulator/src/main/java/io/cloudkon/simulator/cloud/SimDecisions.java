package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.DecisionTable;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of decisions, under the rules of {@link io.cloudkon.core.port.DecisionStore}. */
public final class SimDecisions {
  private final Network network;
  private final DecisionTable table = new DecisionTable();
  private final Map<String, Integer> sought = new HashMap<>();
  private final Map<String, Integer> refused = new HashMap<>();

  private long heldSince = Long.MAX_VALUE;
  private long leaseEnd = Long.MIN_VALUE;

  SimDecisions(Network network) {
    this.network = network;
  }

  /** Reads the provisioner's entry. */
  public void provisioner(SimProcess caller, Reply<Optional<ProvisionerEntry>> reply) {
    read(caller, () -> "reads the provisioner", table::provisioner, reply);
  }

  /** Takes the lease; the answer is whether the entry was still the one seen. */
  public void take(
      SimProcess caller,
      ProvisionerEntry next,
      Optional<ProvisionerEntry> seen,
      Reply<Boolean> reply) {
    write(
        caller,
        () -> "takes the provisioner's lease until %d".formatted(next.leaseEnd()),
        () -> leased(next, table.take(next, seen)),
        reply);
  }

  /** Renews the lease and publishes the state of the fleet. */
  public void renew(SimProcess caller, ProvisionerEntry entry, Reply<Boolean> reply) {
    write(
        caller,
        () ->
            "renews the provisioner's lease until %d: %s"
                .formatted(entry.leaseEnd(), entry.fleet()),
        () -> leased(entry, table.renew(entry)),
        reply);
  }

  private boolean leased(ProvisionerEntry entry, boolean written) {
    if (written) {
      heldSince = entry.updatedMillis() > leaseEnd ? entry.updatedMillis() : heldSince;
      leaseEnd = entry.leaseEnd();
    }
    return written;
  }

  /**
   * The time since which a provisioner has held the lease without a gap; service clock, epoch
   * milliseconds.
   */
  long heldSince() {
    return heldSince;
  }

  /** Writes a decision that is to be carried out. */
  public void intend(SimProcess caller, Decision decision, Reply<Boolean> reply) {
    write(
        caller,
        () ->
            "intends decision %d, %d workers as %s: %s"
                .formatted(
                    decision.number(), decision.count(), decision.token(), decision.reason()),
        () -> table.intend(decision),
        reply);
  }

  /** Writes the progress of a decision. */
  public void update(SimProcess caller, Decision decision, Reply<Boolean> reply) {
    write(
        caller,
        () ->
            "writes decision %d %s %s %s"
                .formatted(
                    decision.number(), decision.state(), decision.instances(), decision.error()),
        () -> table.update(decision),
        reply);
  }

  /** Reads decisions by their numbers. */
  public void decisions(SimProcess caller, long first, long last, Reply<List<Decision>> reply) {
    read(
        caller,
        () -> "reads decisions %d to %d".formatted(first, last),
        () -> table.decisions(first, last),
        reply);
  }

  /** Requests a seat for a worker; the answer is whether it has the seat. */
  public void sit(SimProcess caller, IdleSeat seat, long nowMillis, Reply<Boolean> reply) {
    write(
        caller,
        () -> "asks for seat %d until %d".formatted(seat.index(), seat.leaseEnd()),
        () -> sit(seat, nowMillis),
        reply);
  }

  private boolean sit(IdleSeat seat, long nowMillis) {
    boolean renewal =
        table.seats().stream()
            .anyMatch(one -> one.index() == seat.index() && one.worker().equals(seat.worker()));
    boolean mine = table.sit(seat, nowMillis);
    sought.merge(seat.worker(), renewal ? 0 : 1, Integer::sum);
    refused.merge(seat.worker(), mine ? 0 : 1, Integer::sum);
    return mine;
  }

  /** Gives a worker's seat back. */
  public void leave(SimProcess caller, int index, String worker, Reply<Boolean> reply) {
    write(
        caller,
        () -> "gives seat %d back".formatted(index),
        () -> {
          table.leave(index, worker);
          return true;
        },
        reply);
  }

  /** Reads all seats. */
  public void seats(SimProcess caller, Reply<List<IdleSeat>> reply) {
    read(caller, () -> "reads the seats", table::seats, reply);
  }

  private void write(
      SimProcess caller,
      Supplier<String> what,
      Supplier<@Nullable Boolean> effect,
      Reply<Boolean> reply) {
    network.call(caller, Call.DECISION_WRITE, 1, what, effect, reply);
  }

  private <T> void read(
      SimProcess caller, Supplier<String> what, Supplier<@Nullable T> effect, Reply<T> reply) {
    network.call(caller, Call.DECISION_READ, 1, what, effect, reply);
  }

  /** The current table; read only. */
  public DecisionTable now() {
    return table;
  }

  /** How often a worker requested a seat that it did not have. */
  public int soughtBy(String worker) {
    return sought.getOrDefault(worker, 0);
  }

  /** How often a seat was refused to a worker. */
  public int refusedTo(String worker) {
    return refused.getOrDefault(worker, 0);
  }
}
