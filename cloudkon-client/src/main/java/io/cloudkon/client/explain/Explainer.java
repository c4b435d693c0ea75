package io.cloudkon.client.explain;

import io.cloudkon.client.dead.DeadLetter;
import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.explain.TaskFacts.Bundled;
import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gathers the facts about a run or a task and explains them. Used by one thread. */
public final class Explainer {
  /** The number of dead letters after which no more are received; up to nine more are read. */
  static final int MOST_LETTERS = 1_000;

  private final Cluster cluster;
  private final DeadLetterBox dead;
  private final TimeSource time;

  /**
   * An explainer for a cluster.
   *
   * @param dead its dead letters
   * @param time must know the service's clock
   */
  public Explainer(Cluster cluster, DeadLetterBox dead, TimeSource time) {
    this.cluster = cluster;
    this.dead = dead;
    this.time = time;
  }

  /**
   * The dead letters of a run.
   *
   * @param remark a line about those that were not read; empty if there is nothing to say
   */
  private record Letters(List<RunSnapshot.Dead> found, String remark) {}

  /**
   * Explains in lines why the run or the task still waits. Leaves the cluster as it is, but hides
   * dead letters from others while it reads them: some {@value #MOST_LETTERS} at most, and only if
   * the run is open and has unfinished tasks, and the task, if there is one, has no result here.
   * Otherwise it only counts them.
   *
   * @throws UsageException if the run has no such task
   */
  public List<String> explain(Target target) throws InterruptedException {
    Optional<ResultLookup.Found> result = result(target);
    Letters letters = letters(target.run(), result);
    List<String> lines = new ArrayList<>(lines(run(target, letters.found()), target, result));
    if (!letters.remark().isEmpty()) {
      lines.add(letters.remark());
    }
    return lines;
  }

  /** The result of the task, if there is a task and its result is here. */
  private static Optional<ResultLookup.Found> result(Target target) {
    String id = target.task();
    Path folder = target.folder();
    return id == null || folder == null
        ? Optional.empty()
        : ResultLookup.find(folder.resolve(RunFolder.RESULTS), id);
  }

  private List<String> lines(RunSnapshot run, Target target, Optional<ResultLookup.Found> result) {
    String id = target.task();
    Path folder = target.folder();
    if (id == null) {
      return Explanation.of(run);
    }
    if (folder == null) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "Task %s cannot be looked up without the run's folder: %s in the directory where its client was started (or --out DIR). This is known about the run:"
              .formatted(id, RunFolder.ofRun(run.run().run())));
      lines.addAll(Explanation.of(run));
      return lines;
    }
    return Explanation.of(run, task(run, id, folder, result));
  }

  private RunSnapshot run(Target target, List<RunSnapshot.Dead> letters) {
    long now = time.serviceMillis();
    List<WorkerEntry> workers = cluster.workers().list();
    return new RunSnapshot(
        cluster.name(),
        target.run(),
        cluster.requests().depth(),
        workers.stream().filter(worker -> worker.livesAt(now)).toList(),
        workers.stream().filter(worker -> !worker.livesAt(now)).toList(),
        letters,
        HpcStatus.read(cluster.hpc()),
        ProvisionerStatus.read(cluster.decisions(), now),
        now);
  }

  private Letters letters(RunEntry run, Optional<ResultLookup.Found> result)
      throws InterruptedException {
    boolean succeeded =
        result
            .map(found -> found.result().status() == TaskStatus.SUCCEEDED)
            .orElse(run.counts().getOrDefault(TaskStatus.SUCCEEDED, 0L) >= run.tasks());
    long size = succeeded ? 0 : dead.size().orElse(0);
    if (size == 0) {
      return new Letters(List.of(), "");
    }
    if (result.isPresent() || run.state() != RunEntry.State.OPEN || run.unfinished() == 0) {
      return new Letters(
          List.of(),
          "Cluster %s has %s, which %s not read: to see whether one is of this run, list %s with: %s dead list -s %s"
              .formatted(
                  cluster.name(),
                  Say.count(size, "dead letter"),
                  size == 1 ? "was" : "were",
                  size == 1 ? "it" : "them",
                  Launcher.name(),
                  cluster.name()));
    }
    List<RunSnapshot.Dead> found = new ArrayList<>();
    long read =
        dead.browseSome(
            MOST_LETTERS,
            letter -> {
              if (letter.run().equals(run.run())) {
                found.add(
                    new RunSnapshot.Dead(letter.shortId(), ordinals(letter), letter.reason()));
              }
            });
    return new Letters(
        found,
        read < MOST_LETTERS
            ? ""
            : "Only %s were read, so there may be more of this run; list all with: %s dead list -s %s"
                .formatted(
                    Say.count(MOST_LETTERS, "dead letter"), Launcher.name(), cluster.name()));
  }

  private static Positions ordinals(DeadLetter letter) {
    return switch (letter.contents()) {
      case DeadLetter.Tasks tasks ->
          Positions.of(tasks.bundle().tasks().stream().mapToInt(task -> task.ordinal()).toArray());
      case DeadLetter.Undecodable what -> Positions.none();
    };
  }

  private TaskFacts task(
      RunSnapshot run, String id, Path folder, Optional<ResultLookup.Found> found) {
    RunHeader header = JournalReader.requireHeader(folder.resolve(RunFolder.JOURNAL));
    Optional<WorkloadLookup.Found> place =
        found.isPresent()
            ? Optional.of(new WorkloadLookup.Found(found.get().ordinal(), 0))
            : WorkloadLookup.find(header, folder, id);
    if (place.isEmpty()) {
      throw new UsageException(
          "run %1$s has no task '%2$s'; a task's id is the value of 'task' in results.jsonl: its id in the workload, or the number of its line"
              .formatted(run.run().run(), id));
    }
    SentRange sent = SentRange.read(folder.resolve(RunFolder.JOURNAL), place.get().ordinal());
    return new TaskFacts(
        id,
        place.get().ordinal(),
        header.tasks(),
        sent.bundled(),
        found.map(ResultLookup.Found::result).orElse(null),
        found.isPresent() ? null : bundled(run, header, sent, place.get()));
  }

  private @Nullable Bundled bundled(
      RunSnapshot run, RunHeader header, SentRange sent, WorkloadLookup.Found place) {
    BundleRange range = sent.range();
    if (range == null) {
      return null;
    }
    String id = BundleIds.of(run.run().run(), header.epoch(), range.sequence());
    ClaimScope scope = range.job() ? ClaimScope.BUNDLE : header.claim();
    return new Bundled(
        range.tasks(),
        sent.sentMicros(),
        scope,
        holders(scope, id, place.ordinal() - range.firstOrdinal()),
        place.ranks());
  }

  /** The chain of bundles, from the first to the child that has the task now. */
  private List<Holder> holders(ClaimScope scope, String bundle, int position) {
    if (scope.perTask()) {
      return List.of(new Holder(bundle, 0, true, claim(BundleIds.taskClaim(bundle, position))));
    }
    List<Holder> holders = new ArrayList<>();
    Holder holder = new Holder(bundle, position, true, claim(bundle));
    holders.add(holder);
    for (Holder next = child(holder); next != null; next = child(next)) {
      holders.add(next);
    }
    return holders;
  }

  private @Nullable Holder child(Holder parent) {
    Claim claim = parent.claim();
    if (claim == null) {
      return null;
    }
    for (Map.Entry<Integer, Child> entry : claim.children().entrySet()) {
      Positions tasks = entry.getValue().tasks();
      if (tasks.contains(parent.position())) {
        int position = (int) tasks.stream().filter(p -> p < parent.position()).count();
        String id = BundleIds.child(parent.id(), entry.getKey());
        Claim of = claim(id);
        return new Holder(id, position, entry.getValue().sent() || of != null, of);
      }
    }
    return null;
  }

  private @Nullable Claim claim(String bundle) {
    return cluster.claims().read(List.of(bundle)).get(bundle);
  }
}
