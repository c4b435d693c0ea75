package io.cloudkon.client.run;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.BlobStore;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a run in the blob store. Most runs keep nothing there and never call it. Thread
 * safe.
 */
public final class RunBlobs {
  private static final Logger LOG = LoggerFactory.getLogger(RunBlobs.class);

  /** The smallest {@code --capture} with which results may need more room than a message has. */
  public static final int LARGE_CAPTURE_BYTES = 300 * 1024;

  private final BlobStore store;
  private final String run;
  private final Journal journal;
  private final boolean large;
  private boolean used;
  private boolean results;
  private boolean shown;
  private boolean kept;

  /**
   * The objects that a run may have.
   *
   * @param used whether the run is known to have some
   */
  public RunBlobs(BlobStore store, RunOptions options, Journal journal, boolean used) {
    this.store = store;
    this.run = options.run();
    this.journal = journal;
    this.large = options.captureBytes() >= LARGE_CAPTURE_BYTES;
    this.used = used;
    this.shown = used;
  }

  /** The store itself, for reading, and for removing what was read. */
  public BlobStore store() {
    return store;
  }

  /** The store for writing; the journal records the first write in advance. */
  public BlobStore written() {
    return new NotedBlobs(store, this::use);
  }

  /** The store for writing what the journal's header will name. */
  public BlobStore shipped() {
    return new NotedBlobs(store, this::mark);
  }

  /** Records, also for the time after a crash, that something is about to be put there. */
  private synchronized void use() {
    if (!used) {
      journal.append(List.of(new JournalEntry.Stored()));
      used = true;
    }
  }

  private synchronized void mark() {
    used = true;
  }

  /** Records, also for the time after a crash, that workers may put results there. */
  public synchronized void expected() {
    results = true;
    use();
  }

  /** Records, also for the time after a crash, that workers have put results there. */
  public synchronized void found() {
    shown = true;
    expected();
  }

  /** Whether the run may have objects there. */
  public synchronized boolean used() {
    return used || large;
  }

  /** Whether objects of the run were put there or found there. */
  public synchronized boolean certain() {
    return used;
  }

  /**
   * Whether workers are known to have put results there. After a resume, whether the run is known
   * to have had any objects there: the journal does not tell these two apart.
   */
  public synchronized boolean holdsResults() {
    return shown;
  }

  /** Whether workers may put results there, as far as is known beforehand. */
  public synchronized boolean takesResults() {
    return large || results;
  }

  /** Keeps {@link #remove} from removing anything, because results may lie there unseen. */
  public synchronized void keep() {
    kept = true;
  }

  private synchronized boolean removes() {
    return used() && !kept;
  }

  /** Removes the run's objects, if it may have any; objects that remain expire by themselves. */
  public void remove() {
    if (removes()) {
      remove(store, run);
    }
  }

  /** Removes a run's objects. */
  public static void remove(BlobStore store, String run) {
    try {
      store.removeAll(BlobKeys.run(run));
    } catch (CloudKonException e) {
      LOG.warn("objects of run {} remain in the blob store: {}", run, e.getMessage());
    }
  }
}
