package io.cloudkon.core.port;

import io.cloudkon.core.model.Work;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of tasks and roles that a worker accepts ({@code --allow}, {@code --roles}). Immutable.
 *
 * @param kinds the kinds of work that it runs
 * @param tasks whether it runs tasks
 * @param jobs whether it takes part in HPC jobs
 */
public record WorkerTakes(Set<Work.Kind> kinds, boolean tasks, boolean jobs) {
  /** All kinds and roles. */
  public static final WorkerTakes ALL = new WorkerTakes(EnumSet.allOf(Work.Kind.class), true, true);

  public WorkerTakes {
    kinds = Set.copyOf(kinds);
  }

  /** The same without HPC jobs. */
  public WorkerTakes withoutJobs() {
    return new WorkerTakes(kinds, tasks, false);
  }

  /** Whether it runs every one of these kinds; true if the set is empty. */
  public boolean runs(Set<Work.Kind> wanted) {
    return kinds.containsAll(wanted);
  }

  /** Whether it takes HPC jobs, or else tasks, of these kinds of work. */
  public boolean serves(Set<Work.Kind> wanted, boolean job) {
    return (job ? jobs : tasks) && runs(wanted);
  }
}
