package io.cloudkon.worker.service;

import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.collect.CollectedArchive;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.reply.CollectedStore;
import java.util.Optional;

/**
 * The outcome of a try.
 *
 * @param last whether no other try may follow, because this one could not be stopped and may still
 *     run, or has succeeded and only its files are missing
 * @param collected the files that it left for its client
 */
record EndedTry(TaskResult result, boolean last, CollectedArchive collected) {

  /** A try that left no files. */
  EndedTry(TaskResult result, boolean last) {
    this(result, last, CollectedArchive.NONE);
  }

  /** Whether it failed in a way that allows another try. */
  boolean fails() {
    return result.status() != TaskStatus.SUCCEEDED && !last;
  }

  /**
   * The same try with its files in the blob store; empty if the task is not to end here any more.
   */
  Optional<EndedTry> delivered(BundleInHand inHand, CollectedStore store) {
    Optional<CollectedFiles> files = Optional.empty();
    try {
      files = store.store(inHand, result.ordinal(), collected);
    } finally {
      collected.release();
      if (files.isEmpty()) {
        result.spools().release();
      }
    }
    return files.map(of -> new EndedTry(with(of), last || succeededWithout(of)));
  }

  /** Whether only its files are missing: the task has done its work, and must not do it again. */
  private boolean succeededWithout(CollectedFiles files) {
    return result.status() == TaskStatus.SUCCEEDED && !files.error().isEmpty();
  }

  private TaskResult with(CollectedFiles files) {
    TaskResult whole = result.with(files);
    return files.error().isEmpty() ? whole : whole.withoutFiles(files.error());
  }
}
