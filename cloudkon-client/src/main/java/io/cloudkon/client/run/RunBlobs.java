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
 * The objects of a run in the blob store. Most runs keep nothing there, and never ask it. Thread
 * safe.
 */
public final class RunBlobs {
  private static final Logger LOG = LoggerFactory.getLogger(RunBlobs.class);

  /** From so large a {@code --capture} on, results may need more room than a message has. */
  public static final int LARGE_CAPTURE_BYTES = 300 * 1024;

  private final BlobStore store;
  private final String run;
  private final Journal journal;
  private final boolean large;
  private boolean used;
  private boolean results;

  /**
   * What a run may have there.
   *
   * @param used whether it is known to
   */
  public RunBlobs(BlobStore store, RunOptions options, Journal journal, boolean used) {
    this.store = store;
    this.run = options.run();
    this.journal = journal;
    this.large = options.captureBytes() >= LARGE_CAPTURE_BYTES;
    this.used = used;
  }

  /** The store itself, for who reads. */
  public BlobStore store() {
    return store;
  }

  /** The store for who puts something there. */
  public BlobStore written() {
    return new NotedBlobs(store, this::use);
  }

  /** The store for who puts something there that the journal's first entry will name. */
  public BlobStore shipped() {
    return new NotedBlobs(store, this::mark);
  }

  /** Something is about to be put there: kept in mind across a crash. */
  private synchronized void use() {
    if (!used) {
      journal.append(List.of(new JournalEntry.Stored()));
      used = true;
    }
  }

  private synchronized void mark() {
    used = true;
  }

  /** Workers have put results there, or may have: kept in mind across a crash. */
  public synchronized void found() {
    results = true;
    use();
  }

  /** Whether something of the run may lie there. */
  public synchronized boolean used() {
    return used || large;
  }

  /** Whether something of the run was put there, or found there. */
  public synchronized boolean certain() {
    return used;
  }

  /** Whether workers may put results there, as far as one can tell before they do. */
  public synchronized boolean takesResults() {
    return large || results;
  }

  /** Removes what the run has there, if anything; what stays expires by itself. */
  public void remove() {
    if (used()) {
      remove(store, run);
    }
  }

  /** Removes what a run has there. */
  public static void remove(BlobStore store, String run) {
    try {
      store.removeAll(BlobKeys.run(run));
    } catch (CloudKonException e) {
      LOG.warn("what run {} has in the blob store stays there: {}", run, e.getMessage());
    }
  }
}
