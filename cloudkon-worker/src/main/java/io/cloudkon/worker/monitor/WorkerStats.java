package io.cloudkon.worker.monitor;

import java.util.concurrent.atomic.LongAdder;

/** What a worker counts of itself. Thread safe. */
public final class WorkerStats {
  private final LongAdder tasks = new LongAdder();
  private volatile int busy;

  /** So many tasks came to their end. */
  public void finished(int count) {
    tasks.add(count);
  }

  /** So many slots run something now. */
  public void busy(int slots) {
    busy = slots;
  }

  public long tasks() {
    return tasks.sum();
  }

  public int busy() {
    return busy;
  }
}
