package io.cloudkon.client.collect;

import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Takes in results, whichever way they came. Thread safe. */
final class ResultIntake {
  private final CollectingAccount account;
  private final ResultRecorder recorder;
  private final ArrivingFiles files;

  /** Held by whoever has sorted what is not written yet. */
  private final ReadWriteLock sorting = new ReentrantReadWriteLock();

  ResultIntake(CollectingAccount account, ResultRecorder recorder, ArrivingFiles files) {
    this.account = account;
    this.recorder = recorder;
    this.files = files;
  }

  /**
   * Fetches the files that results name; to be closed when they were accepted.
   *
   * @see ArrivingFiles#of
   */
  ArrivingFiles.Arrival arrival(ResultBatch batch) {
    return files.of(batch);
  }

  /**
   * Sorts and writes them.
   *
   * @param replied when the response queue accepted them; this machine's clock, epoch microseconds
   * @param collectBegun when the receive began that brought them; likewise
   * @param collected when it came back; likewise
   */
  void accept(ArrivingFiles.Arrival arrival, long replied, long collectBegun, long collected) {
    ResultBatch batch = arrival.batch();
    sorting.readLock().lock();
    try {
      CollectingAccount.Sorted sorted = account.sort(batch, BundleIds.sequence(batch.bundle()));
      arrival.keep(sorted.fresh());
      recorder.accept(batch, sorted, replied, collectBegun, collected);
    } finally {
      sorting.readLock().unlock();
    }
  }

  /**
   * Returns when all that was sorted so far would survive a crash: what a second copy of a message
   * finds to be a duplicate may have been sorted, and not yet written, by another thread.
   */
  void sync() {
    sorting.writeLock().lock();
    try {
      recorder.sync();
    } finally {
      sorting.writeLock().unlock();
    }
  }
}
