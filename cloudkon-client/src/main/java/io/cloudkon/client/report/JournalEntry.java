package io.cloudkon.client.report;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import java.util.List;

/** An entry of the journal from which a client resumes its run. Immutable. */
public sealed interface JournalEntry {

  /**
   * Whose journal this is, and what makes the same bundles again. On disk when everything lies in
   * the blob store that the run ships: nothing but {@link Stored} stands before it.
   *
   * @param run the run's id
   * @param epoch the submission's id
   * @param consistency how often its tasks may start
   * @param claim what one claim guards
   * @param clientId the client that sent it
   * @param queue the cluster's request queue
   * @param digest of the workload, see {@link Workload#digest}; empty for a stream, whose tasks are
   *     nowhere to be read again
   * @param file the workload file, from the root; {@code -} for standard input
   * @param tasks how many it holds; negative for a stream, and of tasks that came one by one
   * @param captureBytes how much of each output is kept
   * @param timeoutMillis for tasks that name no limit; 0 is none
   * @param retries for tasks that say nothing of it
   * @param ships what lies in every task's directory
   * @param collect which files of it tasks bring back
   */
  record RunHeader(
      String run,
      String epoch,
      Consistency consistency,
      ClaimScope claim,
      String clientId,
      String queue,
      String digest,
      String file,
      long tasks,
      int captureBytes,
      long timeoutMillis,
      int retries,
      List<Content> ships,
      CollectRule collect)
      implements JournalEntry {
    public RunHeader {
      ships = List.copyOf(ships);
    }

    /** Whether its tasks came one by one: they are all in the file, however many they are. */
    public boolean spooled() {
      return Workload.isSpool(digest);
    }

    /** The same of so many tasks. */
    public RunHeader with(long count) {
      return new RunHeader(
          run,
          epoch,
          consistency,
          claim,
          clientId,
          queue,
          digest,
          file,
          count,
          captureBytes,
          timeoutMillis,
          retries,
          ships,
          collect);
    }

    /** Of a run whose tasks bring back no files. */
    public RunHeader(
        String run,
        String epoch,
        Consistency consistency,
        ClaimScope claim,
        String clientId,
        String queue,
        String digest,
        String file,
        long tasks,
        int captureBytes,
        long timeoutMillis,
        int retries,
        List<Content> ships) {
      this(
          run,
          epoch,
          consistency,
          claim,
          clientId,
          queue,
          digest,
          file,
          tasks,
          captureBytes,
          timeoutMillis,
          retries,
          ships,
          CollectRule.NONE);
    }
  }

  /**
   * Which tasks a bundle has. Written in the order of their numbers, and on disk before the
   * bundle's first send: only so can it be sent again under its id with the same tasks.
   *
   * @param sequence the bundle's number within run and epoch
   * @param firstOrdinal its first task
   * @param tasks how many tasks follow each other in it
   * @param offset where its first task's line starts in the workload, in bytes
   * @param line that line's number, from 1: the id of a task that has none
   * @param submittedMicros client's clock, epoch microseconds
   * @param ranks of an HPC job, which is alone in its bundle, and guarded by a claim in every mode;
   *     0 of a bundle of tasks
   */
  record BundleRange(
      int sequence,
      int firstOrdinal,
      int tasks,
      long offset,
      long line,
      long submittedMicros,
      int ranks)
      implements JournalEntry {

    /** A bundle of tasks. */
    public BundleRange(
        int sequence, int firstOrdinal, int tasks, long offset, long line, long submittedMicros) {
      this(sequence, firstOrdinal, tasks, offset, line, submittedMicros, 0);
    }

    /** Whether it is an HPC job. */
    public boolean job() {
      return ranks > 0;
    }
  }

  /**
   * The request queue accepted these bundles. May be missing after a crash: they are then sent once
   * more under their ids, which does no harm.
   *
   * @param sequences their numbers
   * @param sendBegunMicros when that send began; client's clock, epoch microseconds
   * @param sentMicros when it was accepted; likewise
   */
  record Confirmed(List<Integer> sequences, long sendBegunMicros, long sentMicros)
      implements JournalEntry {
    public Confirmed {
      sequences = List.copyOf(sequences);
    }
  }

  /**
   * Results are about to go to another response queue, as the one before was gone. On disk before
   * the queue is published: whoever goes on with the run reads them all, and removes them.
   *
   * @param queue its name
   */
  record Moved(String queue) implements JournalEntry {}

  /** Something of this run lies in the blob store, or is about to: it is removed at its end. */
  record Stored() implements JournalEntry {}

  /**
   * A worker reported these tasks as lost; final only if no real result comes.
   *
   * @param ordinals the tasks
   */
  record ProvisionallyLost(List<Integer> ordinals) implements JournalEntry {
    public ProvisionallyLost {
      ordinals = List.copyOf(ordinals);
    }
  }

  /** Every task has its final result: there is nothing to resume. */
  record Ended() implements JournalEntry {}
}
