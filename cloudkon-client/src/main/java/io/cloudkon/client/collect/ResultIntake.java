package io.cloudkon.client.collect;

import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Takes in results, both from the response queue and from the blob store. Thread safe. */
final class ResultIntake {
  private final CollectingAccount account;
  private final ResultRecorder recorder;
  private final ArrivingFiles files;
  private final InHand inHand = new InHand();

  /** Held for reading while results are sorted but not yet written. */
  private final ReadWriteLock sorting = new ReentrantReadWriteLock();

  /**
   * Why results that count as final could not be written; null if all were. Set with the lock held
   * for reading, and read with it held for writing.
   */
  private @Nullable Throwable unwritten;

  ResultIntake(CollectingAccount account, ResultRecorder recorder, ArrivingFiles files) {
    this.account = account;
    this.recorder = recorder;
    this.files = files;
  }

  /** Counts the threads that take results in, from their receipt on. */
  InHand inHand() {
    return inHand;
  }

  /**
   * Fetches the files that results name. The caller closes the arrival after accepting it.
   *
   * @see ArrivingFiles#of
   */
  ArrivingFiles.Arrival arrival(ResultBatch batch) {
    return files.of(batch);
  }

  /**
   * Sorts and writes results.
   *
   * @param replied when the response queue accepted them; this machine's clock, epoch microseconds
   * @param collectBegun when the receive that brought them began; likewise
   * @param collected when that receive returned; likewise
   */
  void accept(ArrivingFiles.Arrival arrival, long replied, long collectBegun, long collected) {
    ResultBatch batch = arrival.batch();
    sorting.readLock().lock();
    try {
      CollectingAccount.Sorted sorted = account.sort(batch, BundleIds.sequence(batch.bundle()));
      try {
        arrival.keep(sorted.fresh());
        recorder.accept(batch, sorted, replied, collectBegun, collected);
      } catch (RuntimeException | Error e) {
        unwritten = e;
        throw e;
      }
    } finally {
      sorting.readLock().unlock();
    }
  }

  /**
   * Sorts, writes and syncs results from the blob store; their files are fetched before.
   *
   * @param leased waits until the run's lease is certain to hold; false if it is lost
   * @return false if the lease is lost, and the rest is not taken
   */
  boolean take(List<ResultBatch> stored, BooleanSupplier leased, TimeSource time) {
    for (ResultBatch batch : stored) {
      try (ArrivingFiles.Arrival arrival = arrival(batch)) {
        if (!leased.getAsBoolean()) {
          return false;
        }
        long now = time.wallMicros();
        accept(arrival, now, now, now);
      }
    }
    sync();
    return true;
  }

  /**
   * Returns when everything sorted so far would survive a crash. When a second copy of a message is
   * found to be a duplicate, another thread may have sorted the first copy but not written it yet.
   */
  void sync() {
    requireWritten();
    // Without the lock: others sort and write while this thread waits for the disk.
    recorder.sync();
  }

  /**
   * Returns when everything sorted so far is written, though perhaps not on the disk.
   *
   * @throws CloudKonException if something could not be written: a copy of those results would be
   *     dropped as a duplicate, and its message deleted
   */
  void requireWritten() {
    Throwable failure;
    sorting.writeLock().lock();
    try {
      failure = unwritten;
    } finally {
      sorting.writeLock().unlock();
    }
    if (failure != null) {
      throw failure instanceof CloudKonException known
          ? known
          : new CloudKonException("results were not written: " + failure, failure);
    }
  }
}
