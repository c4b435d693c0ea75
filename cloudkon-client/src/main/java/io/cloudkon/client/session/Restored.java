package io.cloudkon.client.session;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.Restoration;
import io.cloudkon.client.run.ResumeState;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The state of a run according to a former client's files.
 *
 * @param state the state from which it is resumed
 * @param done tasks whose result is written
 * @param lost tasks that are LOST unless a result still comes
 * @param ships the files that are put into every task's directory
 * @param firstClient the client that began the run
 * @param moves the response queues that it has moved to since then, or was about to
 * @param resultBytes the number of bytes in whole lines of the results
 * @param stored whether the run may have objects in the blob store
 */
record Restored(
    ResumeState state,
    BitSet done,
    BitSet lost,
    List<Content> ships,
    String firstClient,
    List<String> moves,
    long resultBytes,
    boolean stored) {
  private static final String LOST =
      "it had started, but it is not known how it ended (lost before the run was resumed)";

  /** The state of a run that begins here. */
  static Restored nothing(RunOptions options, RunIdentity identity) {
    return new Restored(
        ResumeState.fresh(options, identity.epoch()),
        new BitSet(),
        new BitSet(),
        List.of(),
        identity.client(),
        List.of(),
        0,
        false);
  }

  /**
   * Reads the files, and counts the results.
   *
   * @param journal the folder's journal; while it is open, no other process writes to the folder's
   *     files
   * @param run the run's entry in the table of runs
   * @throws CloudKonException if they are damaged
   */
  static Restored read(
      RunFolder folder,
      Journal journal,
      RunOptions options,
      RunEntry run,
      RunStatistics statistics,
      TimeSource time) {
    BitSet done = new BitSet();
    long bytes =
        folder.readResults(result -> {
          if (!done.get(result.index())) {
            done.set(result.index());
            statistics.restore(result);
          }
        });
    Restoration restoration = new Restoration(options, run.epoch(), done, time);
    List<Content> ships = new ArrayList<>();
    List<String> clients = new ArrayList<>(1);
    List<String> moves = new ArrayList<>();
    journal.read(entry -> {
      restoration.accept(entry);
      switch (entry) {
        case RunHeader header -> {
          ships.addAll(header.ships());
          clients.add(header.clientId());
        }
        case JournalEntry.BundleRange range -> statistics.restore(range);
        case JournalEntry.Confirmed confirmed -> {}
        case JournalEntry.Moved moved -> moves.add(moved.queue());
        case JournalEntry.Stored stored -> {}
        case JournalEntry.ProvisionallyLost lost -> {}
        case JournalEntry.Ended ended -> {}
      }
    });
    ResumeState state = restoration.state();
    // Only a run that is being settled may have results of tasks that were never sent.
    if (done.length() > state.completeness().tasks() && run.state() != RunEntry.State.CANCELLED) {
      throw new LocalFileException(
          "the results of run %s cover more tasks than its journal records; restore the files, or submit the run again"
              .formatted(run.run()));
    }
    boolean stored = restoration.stored() || !ships.isEmpty();
    return new Restored(
        state, done, restoration.lost(), ships, String.join("", clients), moves, bytes, stored);
  }

  /**
   * Whether results no longer go to the run's first queue. That queue was gone, and the client that
   * noticed this may not have recovered the results in it.
   */
  boolean hasMoved(String cluster, String queue) {
    return !queue.equals(Names.response(cluster, firstClient));
  }

  /** The response queues that results may have gone to. */
  List<String> queues(String cluster) {
    List<String> queues = new ArrayList<>();
    queues.add(Names.response(cluster, firstClient));
    queues.addAll(moves);
    return queues;
  }

  /** The results of the tasks that are provisionally LOST. */
  List<TaskResult> lostResults(TaskLookup lookup, long now) {
    List<TaskResult> results = new ArrayList<>();
    for (SentBundle bundle : List.copyOf(state.outstanding().values())) {
      if (bundle.hasAny(lost)) {
        for (Task task : lookup.tasks(bundle)) {
          if (lost.get(task.ordinal())) {
            results.add(TaskResult.notRun(task.ordinal(), task.id(), TaskStatus.LOST, LOST, now));
          }
        }
      }
    }
    return results;
  }
}
