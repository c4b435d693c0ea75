package io.cloudkon.client.report;

import io.cloudkon.core.model.Consistency;
import java.util.List;

/** What the client writes down about its run, so that it can be resumed. Immutable. */
public sealed interface JournalEntry {

  /**
   * The first entry: whose journal this is.
   *
   * @param run the run's id
   * @param epoch the submission's id
   * @param consistency how often its tasks may start
   * @param clientId the client that sent it
   * @param queue the cluster's request queue
   * @param digest SHA-256 of the workload, hex; empty for a stream
   * @param file the workload file; {@code -} for standard input
   */
  record RunHeader(
      String run,
      String epoch,
      Consistency consistency,
      String clientId,
      String queue,
      String digest,
      String file)
      implements JournalEntry {}

  /**
   * Which tasks a bundle has. On disk before the bundle's first send: only so can it be sent again
   * under its id with the same tasks.
   *
   * @param sequence the bundle's number within run and epoch
   * @param firstOrdinal its first task
   * @param tasks how many tasks follow each other in it
   * @param offset where its first task's line starts in the workload, in bytes
   * @param line that line's number, from 1: the id of a task that has none
   * @param submittedMicros client's clock, epoch microseconds
   * @param sendBegunMicros likewise
   */
  record BundleRange(
      int sequence,
      int firstOrdinal,
      int tasks,
      long offset,
      long line,
      long submittedMicros,
      long sendBegunMicros)
      implements JournalEntry {}

  /**
   * The request queue accepted these bundles. May be missing after a crash: they are then sent once
   * more under their ids, which does no harm.
   *
   * @param sequences their numbers
   */
  record Confirmed(List<Integer> sequences) implements JournalEntry {
    public Confirmed {
      sequences = List.copyOf(sequences);
    }
  }

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
