package io.cloudkon.worker.execute;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.worker.collect.CollectedArchive;
import io.cloudkon.worker.collect.DiscardedFiles;
import io.cloudkon.worker.execute.guard.TaskUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Packs the files that a command has left, before its directory is removed. Packs on a platform
 * thread, because reading and compressing would occupy the carriers of virtual threads. Thread
 * safe.
 */
final class CollectedOutcome {
  private final ExecutorService threads;
  private final @Nullable TaskUser user;
  private final Scratch scratch;

  /** A folder that no task can enter. */
  interface Scratch {
    Path folder() throws IOException;
  }

  CollectedOutcome(ExecutorService threads, @Nullable TaskUser user, Scratch scratch) {
    this.threads = threads;
    this.user = user;
    this.scratch = scratch;
  }

  /**
   * Adds the collected files to the outcome, if the rule applies to it; or, if no files were
   * requested, the names of those that are removed with the directory.
   *
   * @param leased the task's directory
   * @throws TaskInterruptedException if it was killed meanwhile
   */
  TaskOutcome of(
      TaskOutcome outcome, OwnFiles own, DirectoryLease leased, Interruption interruption)
      throws TaskInterruptedException {
    Path directory = leased.root();
    Set<String> before = leased.before();
    CollectRule rule = own.collect();
    if (rule.isEmpty() && !own.keepsNone() && before != null) {
      CollectedFiles discarded = DiscardedFiles.in(directory, before);
      return discarded.isNone() ? outcome : outcome.with(new CollectedArchive(null, discarded));
    }
    if (!rule.appliesTo(outcome.status())) {
      return outcome;
    }
    if (outcome.stuck()) {
      return outcome.with(
          CollectedArchive.failed("its files are not read because it may still be running"));
    }
    Future<CollectedArchive> packing;
    try {
      packing = threads.submit(() -> pack(directory, rule));
    } catch (OutOfMemoryError e) {
      return outcome.with(notPacked(e)); // no thread for it, but the command has ended well
    }
    try (var _ = interruption.onKill(() -> packing.cancel(true))) {
      return outcome.with(packing.get());
    } catch (CancellationException e) {
      throw interruption.exception(outcome);
    } catch (InterruptedException e) {
      packing.cancel(true);
      Thread.currentThread().interrupt();
      throw interruption.exception(outcome);
    } catch (ExecutionException e) {
      return outcome.with(notPacked(e.getCause()));
    }
  }

  private static CollectedArchive notPacked(@Nullable Throwable why) {
    return CollectedArchive.failed("its files could not be packed: " + reason(why));
  }

  private static String reason(@Nullable Throwable why) {
    return why == null ? "no reason is known" : Texts.error(why);
  }

  private CollectedArchive pack(Path directory, CollectRule rule) throws IOException {
    // if tasks run as a user of their own, the worker packs only that user's files
    String owner = user == null ? null : Files.getOwner(directory).getName();
    return CollectedArchive.pack(directory, rule, owner, scratch.folder());
  }
}
