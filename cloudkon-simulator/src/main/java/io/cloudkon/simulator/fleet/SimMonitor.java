package io.cloudkon.simulator.fleet;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.simulator.cloud.SimEntries;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Writes a worker's entry every few seconds. */
final class SimMonitor {
  private static final long EVERY = 5_000_000;

  private final SimEntries entries;
  private final SimProcess process;
  private final WorkerOrigin origin;
  private final int slots;
  private final IntSupplier busy;
  private final LongSupplier tasksDone;
  private final Supplier<String> role;
  private final long since;
  private long doneBefore;
  private long writtenAt;
  private boolean over;

  /** Starts now. */
  SimMonitor(
      SimEntries entries,
      SimProcess process,
      WorkerOrigin origin,
      int slots,
      IntSupplier busy,
      LongSupplier tasksDone,
      Supplier<String> role) {
    this.entries = entries;
    this.process = process;
    this.origin = origin;
    this.slots = slots;
    this.busy = busy;
    this.tasksDone = tasksDone;
    this.role = role;
    this.since = process.now().service();
    this.writtenAt = since;
    process.in(0, this::write);
  }

  private void write() {
    if (over) {
      return;
    }
    long now = process.now().service();
    long done = tasksDone.getAsLong();
    double rate = (done - doneBefore) * 1000.0 / Math.max(1, now - writtenAt);
    doneBefore = done;
    writtenAt = now;
    entries.put(
        process,
        new WorkerEntry(
            process.name(),
            process.name(),
            origin,
            WorkerTakes.ALL,
            role.get(),
            "",
            slots,
            busy.getAsInt(),
            -1,
            0,
            done,
            rate,
            since,
            now),
        written -> process.in(EVERY, this::write));
  }

  /** Removes the entry, because the worker has left. */
  void over() {
    over = true;
    entries.remove(process, process.name(), removed -> {});
  }
}
