package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table of runs, under the rules of {@link io.cloudkon.core.port.RunStore}. */
public final class SimRuns {
  private final Network network;
  private final CloudWatch watch;
  private final Map<String, RunEntry> entries = new TreeMap<>();

  SimRuns(Network network, CloudWatch watch) {
    this.network = network;
    this.watch = watch;
  }

  /** Reads a run consistently; an unknown run counts as ended, without a holder. */
  public void read(SimProcess caller, String run, Reply<RunEntry> reply) {
    network.call(caller, Call.RUN_READ, 1, () -> "reads run " + run, () -> current(run), reply);
  }

  /** Reads all runs. */
  public void list(SimProcess caller, Reply<List<RunEntry>> reply) {
    network.call(
        caller, Call.RUN_LIST, 1, () -> "lists runs", () -> List.copyOf(entries.values()), reply);
  }

  /** Publishes a new run; the answer is false if it exists already. */
  public void create(SimProcess caller, RunEntry entry, Reply<Boolean> reply) {
    write(
        caller,
        "publishes",
        entry,
        () -> {
          RunEntry current = entries.get(entry.run());
          if (current == null) {
            put(entry);
          }
          return current == null || entry.isShownBy(current);
        },
        reply);
  }

  /**
   * Gives the run to another client if its entry is still the one seen; the answer is whether it
   * was.
   */
  public void takeOver(SimProcess caller, RunEntry next, RunEntry seen, Reply<Boolean> reply) {
    write(
        caller,
        "takes over",
        next,
        () -> {
          RunEntry current = current(next.run());
          boolean may = next.maySucceed(current, seen);
          if (may) {
            put(next);
          }
          return may || next.isShownBy(current);
        },
        reply);
  }

  /**
   * Updates the entry if the new version is newer and its holder still holds the run; the answer is
   * whether it was written.
   */
  public void update(SimProcess caller, RunEntry next, Reply<Boolean> reply) {
    write(
        caller,
        "writes",
        next,
        () -> {
          RunEntry current = current(next.run());
          boolean may = next.mayReplace(current);
          if (may) {
            put(next);
          }
          return may || next.isShownBy(current);
        },
        reply);
  }

  private void put(RunEntry entry) {
    entries.put(entry.run(), entry);
    watch.runWritten(entry, network.timeline().now());
  }

  private interface Change {
    boolean made();
  }

  private void write(
      SimProcess caller, String verb, RunEntry entry, Change change, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.RUN_WRITE,
        1,
        () ->
            "%s run %s: %s, %s, results to %s, lease until %d"
                .formatted(
                    verb,
                    entry.run(),
                    entry.state(),
                    entry.holder(),
                    entry.responseQueue(),
                    entry.leaseEnd()),
        change::made,
        reply);
  }

  /** Cancels a run as a user; returns whether that changed anything. */
  public boolean cancel(String run, long serviceMillis) {
    RunEntry current = current(run);
    if (current.state() != RunEntry.State.OPEN) {
      return false;
    }
    put(current.cancelled(serviceMillis));
    return true;
  }

  /** The current entry of a run; an unknown run counts as ended, without a holder. */
  public RunEntry current(String run) {
    RunEntry entry = entries.get(run);
    return entry != null
        ? entry
        : new RunEntry(
            run,
            "",
            RunEntry.State.ENDED,
            Consistency.EXACTLY_ONCE,
            "",
            "",
            "",
            0,
            "",
            0,
            0,
            Map.of(),
            RemainingWork.UNKNOWN,
            0,
            0);
  }
}
