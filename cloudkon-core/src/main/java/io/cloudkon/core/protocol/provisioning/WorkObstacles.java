package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerTakes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The work of one reading that no worker may take, and the reasons. Not thread safe. */
final class WorkObstacles {
  private final WorkerTakes takes;
  private final List<WorkerEntry> working;
  private final Set<String> clauses = new LinkedHashSet<>();

  /**
   * No obstacles yet.
   *
   * @param takes the work that launched workers accept
   * @param working the live workers that stay
   */
  WorkObstacles(WorkerTakes takes, List<WorkerEntry> working) {
    this.takes = takes;
    this.working = working;
  }

  /** Whether launched workers may take the run's tasks, or its jobs. */
  boolean launchable(RunEntry run, boolean job) {
    return takes.serves(run.remaining().kinds(), job);
  }

  /** Whether a live worker may. */
  boolean served(RunEntry run, boolean job) {
    return working.stream().anyMatch(one -> one.takes().serves(run.remaining().kinds(), job));
  }

  /** The same as {@link #launchable}, and notes why no worker may if that is so. */
  boolean mayRun(RunEntry run, boolean job) {
    boolean launchable = launchable(run, job);
    if (!launchable && !served(run, job)) {
      add(obstacle(run, job));
    }
    return launchable;
  }

  /**
   * Whether launched workers may take one of the run's jobs, as far as is known: which of the run's
   * kinds a single job has is not. Notes why no worker may if they cannot.
   */
  boolean mayRunOne(RunEntry run) {
    boolean some = run.remaining().kinds().isEmpty() || !possibleKinds(run).isEmpty();
    return (some && takes.jobs()) || mayRun(run, true);
  }

  /** The run's kinds of work that launched workers accept. */
  Set<Work.Kind> possibleKinds(RunEntry run) {
    return run.remaining().kinds().stream()
        .filter(takes.kinds()::contains)
        .collect(Collectors.toSet());
  }

  private String obstacle(RunEntry run, boolean job) {
    boolean role = job ? takes.jobs() : takes.tasks();
    if (!role) {
      return "run %s has %s, and launched workers take none (--worker-roles)"
          .formatted(run.run(), job ? "HPC jobs" : "tasks");
    }
    return "run %s needs %s, and launched workers run %s only (--worker-allow)"
        .formatted(run.run(), names(run.remaining().kinds()), names(takes.kinds()));
  }

  private static String names(Set<Work.Kind> kinds) {
    return kinds.stream()
        .sorted()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** Notes an obstacle. */
  void add(String clause) {
    clauses.add(clause);
  }

  /** The obstacles, each once. */
  List<String> clauses() {
    return List.copyOf(clauses);
  }
}
