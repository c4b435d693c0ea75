package io.cloudkon.client.dead;

import io.cloudkon.client.workload.TaskFilesCheck;
import io.cloudkon.client.workload.TaskLine;
import io.cloudkon.client.workload.UnwritableTaskException;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the tasks of dead letters as lines of a workload: each task once, and all of a letter's
 * tasks or none. Not thread safe.
 */
final class RedriveTasks {
  private final RedriveFile out;
  private final NewIds ids;
  private final TaskFilesCheck files;
  private final BlobStore blobs;
  private final Map<OldTask, Integer> ordinals = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  private record OldTask(String run, int ordinal) {}

  /**
   * The outcome for a letter's tasks.
   *
   * @param ordinals their ordinals in the new run; not valid if there is a problem
   * @param problems why the letter was left out, one line for each task concerned
   */
  record Written(List<Integer> ordinals, List<String> problems) {}

  RedriveTasks(RedriveFile out, NewIds ids, TaskFilesCheck files, BlobStore blobs) {
    this.out = out;
    this.ids = ids;
    this.files = files;
    this.blobs = blobs;
  }

  /** The number of tasks written. */
  int count() {
    return ordinals.size();
  }

  /** Writes a letter's tasks. */
  Written write(Bundle bundle) {
    long length = out.length();
    List<Integer> all = new ArrayList<>();
    Map<OldTask, String> added = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (Task task : bundle.tasks()) {
      OldTask key = new OldTask(bundle.header().run(), task.ordinal());
      Integer known = ordinals.get(key);
      if (known != null) {
        all.add(known);
        continue;
      }
      String id = id(key.run(), task);
      Optional<String> problem = append(bundle, task, id);
      if (problem.isPresent()) {
        problems.add(problem.get());
      } else {
        all.add(ordinals.size());
        ordinals.put(key, ordinals.size());
        added.put(key, id);
        used.add(id);
      }
    }
    if (!problems.isEmpty()) {
      out.cut(length);
      added.keySet().forEach(ordinals::remove);
      used.removeAll(added.values());
    }
    return new Written(all, problems);
  }

  /**
   * The task's id in the new run. A run's ids are unique, unless a program other than a client made
   * its bundles.
   */
  private String id(String run, Task task) {
    String id = ids.of(run, task);
    return used.contains(id) ? NewIds.byOrdinal(run, task) : id;
  }

  /** Writes one task, or says why it cannot run again. */
  private Optional<String> append(Bundle bundle, Task task, String id) {
    String run = bundle.header().run();
    List<String> missing =
        bundle.header().ships().stream()
            .map(Content::name)
            .filter(name -> !files.shipped().contains(name))
            .toList();
    if (!missing.isEmpty()) {
      return Optional.of(
          "task '%s' of run %s needs files that the run shipped: name them with --ship, as %s"
              .formatted(task.id(), run, String.join(", ", missing)));
    }
    Optional<String> fault =
        files.problem(task.files().inputs().stream().map(InputFile::path).toList());
    if (fault.isPresent()) {
      return Optional.of(
          "task '%s' of run %s cannot be sent again from here: %s"
              .formatted(task.id(), run, fault.get()));
    }
    Optional<Work> work = work(run, task.work());
    if (work.isEmpty()) {
      return Optional.of(
          "the work of task '%s' of run %s was in the blob store and was removed with the run; send the task from its own workload"
              .formatted(task.id(), run));
    }
    // A task without a number of its own has 0, too; the new run's number applies to it.
    int retries = task.retries() == 0 ? Task.RUNS_RETRIES : task.retries();
    try {
      out.append(
          TaskLine.of(
              new Task(task.ordinal(), id, work.get(), task.timeoutMillis(), retries)
                  .with(files(bundle.header(), task))));
      return Optional.empty();
    } catch (UnwritableTaskException e) {
      return Optional.of("%s, of run %s".formatted(e.getMessage(), run));
    }
  }

  /**
   * The task's files, with the patterns that applied to it in its old run, because the new run
   * gives none.
   */
  private static TaskFiles files(BundleHeader header, Task task) {
    List<String> collect = header.collect(task).patterns();
    boolean command = task.work().kind() == Work.Kind.EXEC && !(task.work() instanceof Work.Hpc);
    return !command || collect.isEmpty()
        ? task.files()
        : new TaskFiles(task.files().inputs(), collect);
  }

  /** The task's work; empty if it no longer exists. */
  private Optional<Work> work(String run, Work work) {
    if (work instanceof Work.Hpc job) {
      return work(run, job.each()).map(each -> new Work.Hpc(job.ranks(), job.mpi(), each));
    }
    if (!(work instanceof Work.Stored stored)) {
      return Optional.of(work);
    }
    try {
      Optional<byte[]> bytes = blobs.get(BlobKeys.in(run, stored.content().sha256()));
      return bytes.isEmpty() ? Optional.empty() : Optional.of(BundleCodec.decodeWork(bytes.get()));
    } catch (MissingResourceException | MalformedMessageException e) {
      return Optional.empty();
    }
  }
}
