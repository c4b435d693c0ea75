package io.cloudkon.client.report;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Names;
import java.util.List;

/** An entry of the journal from which a client resumes its run. Immutable. */
public sealed interface JournalEntry {

  /**
   * The identity of the run, and the settings from which the same bundles can be made again.
   * Written once everything that the run ships is in the blob store; only {@link Stored} may
   * precede it.
   *
   * @param run the run's id
   * @param epoch the submission's id
   * @param consistency how often its tasks may start
   * @param claim what one claim guards
   * @param clientId the client that sent it
   * @param queue the cluster's request queue
   * @param digest of the workload, see {@link Workload#digest}; empty for a stream, whose tasks
   *     cannot be read again
   * @param file the absolute path of the workload file; {@code -} for standard input
   * @param tasks the number of tasks in it; negative for a stream and for tasks that came one by
   *     one
   * @param captureBytes how many bytes of each output are kept
   * @param timeoutMillis the limit for tasks that name none; 0 means no limit
   * @param retries the number of retries for tasks that name none
   * @param ships the files that are put into every task's directory
   * @param collect which files tasks bring back from it
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

    /** Whether its tasks came one by one; the file holds all of them, whatever their number. */
    public boolean spooled() {
      return Workload.isSpool(digest);
    }

    /** Whether a client can resume it: not a run in a process, nor one that was streamed. */
    public boolean isResumable() {
      return !queue.equals(Names.LOCAL) && !digest.isEmpty();
    }

    /** Whether its workload was in a file: not streamed, and not from standard input. */
    public boolean isFromFile() {
      return !digest.isEmpty() && !file.equals("-");
    }

    /** The same header with this number of tasks. */
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

    /** The header of a run whose tasks bring back no files. */
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
   * The tasks of a bundle. Written in the order of the bundles' numbers, and on disk before the
   * bundle's first send, so that it can be sent again under its id with the same tasks.
   *
   * @param sequence the bundle's number within run and epoch
   * @param firstOrdinal its first task
   * @param tasks the number of its tasks, which are consecutive
   * @param offset where its first task's line starts in the workload, in bytes
   * @param line that line's number, from 1; it serves as the id of a task that has none
   * @param submittedMicros client's clock, epoch microseconds
   * @param ranks the number of ranks of an HPC job, which is alone in its bundle and guarded by a
   *     claim in every mode; 0 for a bundle of tasks
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
   * Bundles that the request queue accepted. The entry may be missing after a crash; they are then
   * sent again under their ids, which is harmless.
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
   * A move of the results to another response queue, because the previous one was gone. On disk
   * before the queue is published, so that a client that resumes the run reads all its queues and
   * removes them.
   *
   * @param queue its name
   */
  record Moved(String queue) implements JournalEntry {}

  /**
   * States that the run has objects in the blob store, or is about to; they are removed at its end.
   */
  record Stored() implements JournalEntry {}

  /**
   * Tasks that a worker reported as lost, which is final only if no other result comes.
   *
   * @param ordinals the tasks
   */
  record ProvisionallyLost(List<Integer> ordinals) implements JournalEntry {
    public ProvisionallyLost {
      ordinals = List.copyOf(ordinals);
    }
  }

  /** States that every task has its final result: there is nothing to resume. */
  record Ended() implements JournalEntry {}
}
